// SPDX-License-Identifier: MIT
// Function pointers and recursion: which function is called, and how deep, depend on inputs.
// heddle: --check-solver
// expect: exit=0 verdict=clean paths=8
#include "heddle.h"
#include <assert.h>

static int twice(int x) {
  return x * 2;
}

static int negative(int x) {
  return -x;
}

static int depth(unsigned n) {
  return n == 0 ? 0 : 1 + depth(n - 1);
}

int main(void) {
  int (*const functions[])(int) = {twice, negative};
  const unsigned n = (unsigned)heddle_input_range("n", 0, 3);
  assert(depth(n) == (int)n);
  const int x = heddle_input_int("x");
  int (*const f)(int) = x > 5 ? functions[0] : functions[1];
  const int y = f(x);
  if (f == twice)
    assert(x > 5 && (unsigned)y == 2u * (unsigned)x);
  else
    assert(x <= 5 && (unsigned)y == -(unsigned)x);
  return 0;
}
