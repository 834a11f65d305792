// SPDX-License-Identifier: MIT
// Of a megabyte of inputs only what is read costs anything.
// expect: exit=0 verdict=clean paths=3 runs<=8
#include "heddle.h"
#include <assert.h>

static unsigned char bytes[1 << 20];

int main(void) {
  heddle_input_bytes("bytes", bytes, sizeof bytes);
  if (bytes[1000000] == 17) {
    if (bytes[3] > bytes[500000]) return 0;
    assert(bytes[1000000] == 17);
  }
  return 0;
}
