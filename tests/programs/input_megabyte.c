// SPDX-License-Identifier: MIT
// A megabyte of bytes that are inputs, more than the terms of a run by default.
// heddle: --strategy exhaustive --max-terms 2097152
// expect: exit=0 verdict=clean complete=true paths=4
#include "heddle.h"

static unsigned char bytes[1 << 20];

int main(void) {
  heddle_input_bytes("bytes", bytes, sizeof bytes);
  if (bytes[0] == 7) heddle_observe("first", 1);
  if (bytes[sizeof bytes - 1] + bytes[1000] == 300) heddle_observe("second", 1);
  return 0;
}
