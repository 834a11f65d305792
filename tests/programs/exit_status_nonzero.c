// SPDX-License-Identifier: MIT
// A program that ends with a status of its own is no bug.
// expect: exit=0 verdict=clean
int main(void) {
  return 3;
}
