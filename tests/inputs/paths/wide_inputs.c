// SPDX-License-Identifier: MIT
// Inputs of wide types of which a few values are assumed.
#include "input.h"

int main(void) {
  const int a = BOUNDED(int, int, "a", -20, 20);
  const unsigned long b = BOUNDED(unsigned long, ulong, "b", 4294967290, 4294967300);
  const __int128 c = BOUNDED(__int128, int128, "c", -5, 5);
  if (a * 3 == -51) LEAF(1);
  if (b == 4294967296 + (unsigned long)a) LEAF(2);
  if ((unsigned)b < 3) LEAF(3);
  if (c * 3 - a == 9) LEAF(4);
  if (c < a) LEAF(5);
  return 0;
}
