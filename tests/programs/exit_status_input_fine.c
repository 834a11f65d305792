// SPDX-License-Identifier: MIT
// A status that is a multiple of 256 for every input never fails.
// expect: exit=0 verdict=clean paths=1
#include "heddle.h"
#include <stdlib.h>

int main(void) {
  exit(heddle_input_int("x") << 8);
}
