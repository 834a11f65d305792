// SPDX-License-Identifier: MIT
// An instruction that accesses eight bytes where the operand's type, and the block, have four.
// expect: exit=1 bugs=1 bug=memory line=BUG
#include <stdlib.h>

int main(void) {
  int *x = calloc(1, sizeof *x);
  __asm__ __volatile__("lock; orq %1, %0" : "+m"(*x) : "r"(1ul)); /* BUG */
  free(x);
  return 0;
}
