// SPDX-License-Identifier: MIT
// The number of characters that are printed depends on the value: it is made concrete, and that is said.
// heddle: --strategy exhaustive --exit-status any
// expect: exit=3 verdict=incomplete output~"passed to printf"
#include "heddle.h"
#include <stdio.h>

int main(void) {
  const int x = heddle_input_int("x");
  return printf("%d\n", x) == 9 ? 1 : 0;
}
