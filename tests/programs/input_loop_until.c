// SPDX-License-Identifier: MIT
// A loop that asks for inputs until one is not 0: the run in which all are 0 is cut short, the others end at once.
// expect: exit=1 verdict=bug bug=assertion
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  while (1)
    if (__VERIFIER_nondet_int()) break;
  assert(0);
}
