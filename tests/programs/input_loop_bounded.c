// SPDX-License-Identifier: MIT
// Such a loop with nothing wrong behind it: that some run never ends is said.
// heddle: --max-inputs 20
// expect: exit=3 verdict=incomplete bugs=0 paths=21 output~"--max-inputs"
int __VERIFIER_nondet_int(void);

int main(void) {
  while (!__VERIFIER_nondet_int()) {
  }
  return 0;
}
