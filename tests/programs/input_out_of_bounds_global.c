// SPDX-License-Identifier: MIT
// The index that leaves a static array.
// expect: exit=1 bug=memory line=BUG
#include "heddle.h"

static char table[16];

int main(void) {
  const int i = heddle_input_int("i");
  if (i > 20 || i < 0) return 0;
  table[i] = 1; /* BUG */
  return 0;
}
