// SPDX-License-Identifier: MIT
// A linear equation in three unknowns.
#include "heddle.h"
#include <assert.h>

int main(void) {
  const unsigned char a = heddle_input_uchar("a"), b = heddle_input_uchar("b"), c = heddle_input_uchar("c");
  assert(a * 121 + b * 11 + c != 20000 || c <= 200);
  return 0;
}
