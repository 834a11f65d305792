// SPDX-License-Identifier: MIT
// Inputs that go through the heap: malloc, realloc, memcpy, memmove, memset, calloc, and bytes of a word.
// solver: check
#include "input.h"

#include <stdlib.h>
#include <string.h>

int main(void) {
  const unsigned char x = heddle_input_uchar("x"), y = heddle_input_uchar("y");
  unsigned char *bytes = calloc(8, 1);
  bytes[0] = x;
  bytes[1] = y;
  bytes = realloc(bytes, 64);
  memmove(bytes + 1, bytes, 4);
  unsigned word;
  memcpy(&word, bytes, sizeof word);
  if (word == 0x00070505) LEAF(1);
  if (bytes[2] == 9) LEAF(2);
  memset(bytes + 16, x, 4);
  memcpy(&word, bytes + 16, sizeof word);
  if (word == 0x21212121) LEAF(3);
  bytes[17] = 0;
  memcpy(&word, bytes + 16, sizeof word);
  if (word > 0xf0f00000) LEAF(4);
  memset(bytes, 0, 8);
  if (bytes[1] == x) LEAF(5);
  free(bytes);
  return 0;
}
