// SPDX-License-Identifier: MIT
// The functions of ctype.h.
// paths: at least
#include "input.h"

#include <ctype.h>

int main(void) {
  const int c = heddle_input_uchar("c");
  int leaf = 0;
  if (isdigit(c)) leaf |= 1;
  if (isalpha(c)) leaf |= 2;
  if (isspace(c)) leaf |= 4;
  if (isxdigit(c)) leaf |= 8;
  if (isupper(c)) leaf |= 16;
  if (ispunct(c)) leaf |= 32;
  if (tolower(c) == 'q') leaf |= 64;
  if (toupper(c) == 'Q') leaf |= 128;
  LEAF(leaf);
  return 0;
}
