// SPDX-License-Identifier: MIT
// More sizes than --max-address-targets: the result says that some were left out.
// heddle: --max-address-targets 20
// expect: exit=3 verdict=incomplete bugs=0 output~"--max-address-targets"
#include "heddle.h"
#include <stdlib.h>

int main(void) {
  const long long n = heddle_input_range("n", 1, 100);
  free(malloc((size_t)n));
  return 0;
}
