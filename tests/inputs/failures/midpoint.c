// SPDX-License-Identifier: MIT
// The middle of two numbers, computed so that it overflows.
#include "heddle.h"
#include <assert.h>

int main(void) {
  const int low = heddle_input_int("low"), high = heddle_input_int("high");
  if (low < 0 || high < low) return 0;
  const int middle = (int)((unsigned)low + (unsigned)high) / 2;
  assert(middle >= low);
  return 0;
}
