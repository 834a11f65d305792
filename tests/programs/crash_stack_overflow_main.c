// SPDX-License-Identifier: MIT
// expect: exit=1 bug=crash message~"stack overflow"
static int deeper(volatile int *n) {
  volatile int here[64];
  here[0] = *n + 1;
  return deeper(here) + here[1];
}

int main(void) {
  volatile int zero = 0;
  return deeper(&zero);
}
