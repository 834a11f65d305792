// SPDX-License-Identifier: MIT
// An assumption that random inputs do not meet: solved, not guessed.
// expect: exit=1 bug=assertion line=BUG
#include "heddle.h"
#include <assert.h>

int main(void) {
  const unsigned long x = heddle_input_ulong("x"), y = heddle_input_ulong("y");
  heddle_assume(x * 5 == 0x123456789abcdef5);
  heddle_assume((x ^ y) == 0xfeedface);
  assert((y & 0xff) != (((0x123456789abcdef5 * 0xcccccccccccccccd) ^ 0xfeedface) & 0xff)); /* BUG */
  return 0;
}
