// SPDX-License-Identifier: MIT
// Likewise of the argument of exit, whose low eight bits count; both sides exist, and no more.
// heddle: --strategy exhaustive --keep-going
// expect: exit=1 bugs>=1 bug=exit line=BUG paths=2 complete=true
#include "heddle.h"
#include <stdlib.h>

int main(void) {
  exit(heddle_input_int("x") << 4); /* BUG */
}
