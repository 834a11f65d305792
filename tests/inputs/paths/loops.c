// SPDX-License-Identifier: MIT
// Loops that inputs bound; break and continue; goto; a nested condition in the middle.
#include "input.h"

int main(void) {
  const int n = (int)heddle_input_range("n", 0, 9), m = (int)heddle_input_range("m", 0, 9);
  int rounds = 0, found = 0;
  for (int i = 0; i < n; i++) {
    if (i * 2 == m) continue;
    if (i + m > 12) break;
    rounds++;
  }
  int k = m;
again:
  if (k > 2) {
    k -= 3;
    found++;
    goto again;
  }
  do rounds--;
  while (rounds > 4);
  LEAF(rounds * 16 + found);
  return 0;
}
