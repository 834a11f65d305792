// SPDX-License-Identifier: MIT
// An index outside of a table with more elements than are tried one by one.
// heddle: --strategy con2colic --max-address-targets 8
// expect: exit=1 bug=memory line=BUG verdict=bug
#include "heddle.h"

static int table[1000];

int main(void) {
  const unsigned place = heddle_input_uint("place");
  if (place > 1000) return 0;
  table[place] = 1; // BUG
  return 0;
}
