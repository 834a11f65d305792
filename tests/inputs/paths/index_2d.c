// SPDX-License-Identifier: MIT
// Two symbolic indices into an array of arrays: an address is their combination.
#include "input.h"

static int grid[3][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}};

int main(void) {
  const unsigned row = (unsigned)heddle_input_range("row", 0, 2), column = (unsigned)heddle_input_range("column", 0, 3);
  PATH_VALUE(row * 4 + column);
  if (grid[row][column] % 3 == 1) LEAF(1);
  return 0;
}
