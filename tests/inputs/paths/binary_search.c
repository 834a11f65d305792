// SPDX-License-Identifier: MIT
// Binary search in a constant table: the key is an input, the indices are not.
// solver: check
#include "input.h"

static const int table[] = {3, 8, 21, 34, 55, 60, 89, 101, 144, 150, 177, 200, 233, 250};

int main(void) {
  const int key = heddle_input_uchar("key");
  int low = 0, high = sizeof table / sizeof *table;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (table[middle] == key) {
      LEAF(middle);
      return 0;
    }
    if (table[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  LEAF(-1 - low);
  return 0;
}
