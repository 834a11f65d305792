// SPDX-License-Identifier: MIT
// With --svcomp abort() ends a run without a finding; reach_error is one.
// heddle: --svcomp
// expect: exit=1 verdict=bug bugs=1 function=reach_error
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {
  abort();
}

int main(void) {
  const int x = __VERIFIER_nondet_int();
  const unsigned char y = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(x > 1000);
  if (x == 5) reach_error();
  if (x < 2000) abort();
  if (x * 3 == 6003 && y == 200) reach_error();
  return 0;
}
