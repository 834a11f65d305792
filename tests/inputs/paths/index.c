// SPDX-License-Identifier: MIT
// A symbolic index: every address is a path of its own; afterwards the index is known.
#include "input.h"

static const unsigned char table[6] = {5, 1, 4, 1, 5, 9};

int main(void) {
  const unsigned i = (unsigned)heddle_input_range("i", 0, 5);
  int local[6];
  for (int k = 0; k < 6; k++) local[k] = k * k;
  PATH_VALUE(i);
  if (table[i] == 5) LEAF(1);
  if (local[i] > 8) LEAF(2);
  if (i == 3) LEAF(3);
  return 0;
}
