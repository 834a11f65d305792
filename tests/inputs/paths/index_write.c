// SPDX-License-Identifier: MIT
// Writing at a symbolic index, reading elsewhere.
#include "input.h"

int main(void) {
  unsigned char array[4] = {0};
  const unsigned i = (unsigned)heddle_input_range("i", 0, 3);
  const unsigned char value = heddle_input_uchar("value");
  PATH_VALUE(i);
  array[i] = value;
  if (array[2] == 42) LEAF(1);
  if (array[1] > 100) LEAF(2);
  return 0;
}
