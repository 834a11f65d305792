// SPDX-License-Identifier: MIT
// Where any status is accepted, one that is not 0 is an end like any other.
// heddle: --strategy exhaustive --exit-status any
// expect: exit=0 verdict=clean runs=1 bugs=0
int main(void) {
  return 3;
}
