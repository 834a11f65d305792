// SPDX-License-Identifier: MIT
// A product of 128 bits.
#include "heddle.h"
#include <assert.h>

int main(void) {
  const unsigned long a = heddle_input_ulong("a"), b = heddle_input_ulong("b");
  if (a < 1000003 || b != 0x123456789abcdefful) return 0;
  assert((unsigned __int128)a * b != (unsigned __int128)0x123456789abcdefful * 98765432123456789ul);
  return 0;
}
