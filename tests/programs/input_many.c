// SPDX-License-Identifier: MIT
// Five thousand inputs.
// expect: exit=0 verdict=clean complete=true paths=4
#include "heddle.h"

static int values[5000];

int main(void) {
  for (int i = 0; i < 5000; i++) values[i] = heddle_input_int("value");
  if (values[17] + values[4999] == 5) heddle_observe("first", 1);
  if (values[2500] > values[17]) heddle_observe("second", 1);
  return 0;
}
