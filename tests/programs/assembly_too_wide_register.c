// SPDX-License-Identifier: MIT
// Likewise without a suffix: the part of the register that is named says how many.
// expect: exit=1 bugs=1 bug=memory line=BUG
#include <stdlib.h>

int main(void) {
  int *x = calloc(1, sizeof *x);
  __asm__ __volatile__("lock; or %q1, %0" : "+m"(*x) : "r"(1)); /* BUG */
  free(x);
  return 0;
}
