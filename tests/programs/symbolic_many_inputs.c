// SPDX-License-Identifier: MIT
// Five thousand inputs, all of which take part in one test.
// expect: exit=0 verdict=clean paths=2
// observe: sum=1
// observe: sum=0
#include "heddle.h"

int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 5000; i++) sum += heddle_input_uint("x");
  heddle_observe("sum", sum == 123456789);
  return 0;
}
