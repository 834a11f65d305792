// SPDX-License-Identifier: MIT
// Whether and how often inputs are asked for depends on inputs.
#include "input.h"

int main(void) {
  const int n = (int)heddle_input_range("n", 0, 4);
  int sum = 0;
  for (int i = 0; i < n; i++) sum += (int)heddle_input_range("part", 1, 3);
  if (sum == 7) LEAF(1);
  if (n > 2 && heddle_input_bool("last")) LEAF(2);
  return 0;
}
