// SPDX-License-Identifier: MIT
// In SV-COMP the status of a program says nothing.
// heddle: --strategy exhaustive --svcomp
// expect: exit=0 verdict=clean runs=1 bugs=0
int main(void) {
  return 3;
}
