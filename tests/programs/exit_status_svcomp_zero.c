// SPDX-License-Identifier: MIT
// What is given counts more than what --svcomp implies.
// heddle: --strategy exhaustive --svcomp --exit-status zero
// expect: exit=1 verdict=bug bug=exit line=BUG
int main(void) {
  return 3; /* BUG */
}
