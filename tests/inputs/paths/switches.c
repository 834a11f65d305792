// SPDX-License-Identifier: MIT
// Switches: dense, sparse, ranges, falling through, with and without default. Cases that go to one place are one path.
#include "input.h"

static int sparse(unsigned char x) {
  switch (x) {
  case 3:
  case 77:
  case 200: return 1;
  case 10 ... 20: return 2;
  case 255: return 3;
  }
  return 0;
}

int main(void) {
  const unsigned char x = heddle_input_uchar("x");
  switch (sparse(x)) {
  case 0: LEAF(1); break;
  case 1: LEAF(2); break;
  case 2: LEAF(3);
  case 3: LEAF(4); /* falls through */
  }
  switch (x % 4) {
  case 0:
  case 1: LEAF(5); break;
  case 2: break;
  default: LEAF(6);
  }
  switch ((long)x - 300) {
  case -300 + 7: LEAF(7); break;
  case -300 + 8: LEAF(8); break;
  }
  return 0;
}
