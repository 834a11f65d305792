// SPDX-License-Identifier: MIT
// Pointers computed from inputs, into the heap, a static array and a local one: every place in bounds is a path.
// expect: exit=0 verdict=clean complete=true paths=12 runs=12
#include "heddle.h"
#include <stdlib.h>

static short global[3] = {1, 2, 3};

int main(void) {
  const long i = (long)heddle_input_range("i", 0, 2);
  const int which = (int)heddle_input_range("which", 0, 3);
  short local[3] = {10, 20, 30}, *heap = malloc(3 * sizeof *heap);
  for (int k = 0; k < 3; k++) heap[k] = (short)(k * 100);
  switch (which) {
  case 0: heddle_observe("global", *(global + i)); break;
  case 1: heddle_observe("local", *(local + i)); break;
  case 2: heddle_observe("heap", heap[i]); break;
  default: *(heap + i) = 7; heddle_observe("written", heap[0] + heap[1] + heap[2]);
  }
  free(heap);
  return 0;
}
