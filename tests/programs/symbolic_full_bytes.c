// SPDX-License-Identifier: MIT
// Three times as many bytes that are inputs as a run may have terms, and all of them are read.
// heddle: --max-terms 1024 --max-runs 5
// expect: exit=3 verdict=incomplete bugs=0
#include "heddle.h"
#include <assert.h>
#include <string.h>

static char text[3000], copy[3000];

int main(void) {
  int positive = 0;
  heddle_input_bytes("text", text, sizeof text);
  memmove(copy, text, sizeof text);
  for (int i = 0; i < 3000; i++)
    if (text[i] > i % 50) positive++;
  if (copy[2] > 5) assert(text[2] > 5);
  if (copy[2] == text[1]) assert(positive <= 3000);
  return 0;
}
