// SPDX-License-Identifier: MIT
// More inputs than the terms of a run: some lose their terms, the result is incomplete and says so.
// heddle: --strategy exhaustive --max-terms 1024
// expect: exit=3 complete=false bugs=0 output~max-terms
#include "heddle.h"

static unsigned char bytes[4096];

int main(void) {
  heddle_input_bytes("bytes", bytes, sizeof bytes);
  if (bytes[0] == 7) heddle_observe("first", 1);
  if (bytes[4095] == 7) heddle_observe("last", 1);
  return 0;
}
