// SPDX-License-Identifier: MIT
// atoi and strtol of a few characters. Other bases than ten are not followed.
// paths: at least
#include "input.h"

#include <stdlib.h>

int main(void) {
  static const char symbols[] = {0, ' ', '-', '+', '0', '1', '7', '9', 'a', 'f', 'x'};
  char text[4] = {0};
  for (int i = 0; i < 3; i++) {
    const unsigned char c = heddle_input_uchar("character");
#ifdef ENUMERATE
    if (c >= sizeof symbols) heddle_assume(0);
    text[i] = symbols[c];
#else
    _Bool known = 0;
    for (size_t k = 0; k < sizeof symbols; k++) known |= c == (unsigned char)symbols[k];
    heddle_assume(known);
    text[i] = (char)c;
#endif
  }
  char *end;
  const int decimal = atoi(text);
  if (decimal < 0) LEAF(1);
  if (decimal == 17) LEAF(2);
  const long number = strtol(text, &end, 10);
  if (number == -9) LEAF(3);
  if (end == text) LEAF(4);
  if (*end) LEAF(5);
  if (strtoul(text, NULL, 10) == 7) LEAF(6);
  return 0;
}
