// SPDX-License-Identifier: MIT
// A ring buffer whose count goes wrong when it is full.
#include "heddle.h"
#include <assert.h>

static int first, count, values[3];

static void put(int value) {
  values[(first + count) % 3] = value;
  if (count <= 3) count++;
}

static void take(void) {
  if (count == 0) return;
  first = (first + 1) % 3;
  count--;
}

int main(void) {
  for (int i = 0; i < 5; i++) {
    if (heddle_input_bool("put"))
      put(i);
    else
      take();
    assert(count <= 3);
  }
  return 0;
}
