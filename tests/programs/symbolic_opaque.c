// SPDX-License-Identifier: MIT
// Memory that a function gets which is not followed: what is symbolic there is made concrete, and that is said. What it
// writes is concrete, even where it is what was there.
// expect: exit=3 verdict=incomplete bugs=0 output~"passed to snprintf" output~"passed to strcoll"
// observe: beside=1
#include "heddle.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char text[4] = "";
  char *block = malloc(8);
  int beside = heddle_input_int("beside");
  heddle_input_bytes("text", text, 3);
  memset(block, 0, 8);
  heddle_input_bytes("block", block, 4);
  if (strcoll(block, "x") == 0) assert(block[0] == 'x');
  snprintf(text, sizeof text, "%s", "");
  assert(text[0] == 0);
  if (beside == 12345) heddle_observe("beside", 1);
  free(block);
  return 0;
}
