// SPDX-License-Identifier: MIT
// Sorting three numbers by comparing neighbours: a path per order that the comparisons can tell.
// solver: check
#include "input.h"

static void order(unsigned char *a, unsigned char *b) {
  if (*a <= *b) return;
  const unsigned char kept = *a;
  *a = *b;
  *b = kept;
}

int main(void) {
  unsigned char values[3];
  for (int i = 0; i < 3; i++) values[i] = (unsigned char)heddle_input_range("value", 0, 15);
  order(&values[0], &values[1]);
  order(&values[1], &values[2]);
  order(&values[0], &values[1]);
  if (values[0] > values[1] || values[1] > values[2]) LEAF(1);
  return 0;
}
