// SPDX-License-Identifier: MIT
// More elements than are tried: what was not looked at is said.
// heddle: --strategy con2colic --max-address-targets 8
// expect: exit=3 verdict=incomplete "output~max-address-targets"
#include "heddle.h"

static int table[1000];

int main(void) {
  const unsigned place = heddle_input_uint("place");
  if (place >= 1000) return 0;
  table[place] = 1;
  return 0;
}
