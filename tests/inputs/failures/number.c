// SPDX-License-Identifier: MIT
// A number read digit by digit.
#include "heddle.h"
#include <assert.h>

int main(void) {
  char text[5] = {0};
  heddle_input_bytes("text", text, 4);
  int value = 0;
  for (int i = 0; text[i] >= '0' && text[i] <= '9'; i++) value = value * 10 + text[i] - '0';
  assert(value != 4711);
  return 0;
}
