// SPDX-License-Identifier: MIT
// A run that computes more than --max-terms allows: values become concrete, the result is incomplete, nothing breaks.
// heddle: --max-terms 1024 --max-runs 50
// expect: exit=3 verdict=incomplete bugs=0
#include "heddle.h"
#include <assert.h>

unsigned kept[64];

int main(void) {
  const unsigned x = heddle_input_uint("x");
  unsigned y = x, z = 1;
  for (unsigned i = 0; i < 5000; i++) {
    y = y * 3 + x + i;
    z ^= y;
    kept[i % 64] = y;
    if (i % 100 == 0 && kept[i % 64] == z) z++;
  }
  assert(kept[4999 % 64] == y);
  return 0;
}
