// SPDX-License-Identifier: MIT
// Functions called through pointers that a branch chose; terms go in and come out.
#include "input.h"

static int twice(int x) {
  return 2 * x;
}

static int minus(int x) {
  return -x;
}

static int square(int x) {
  return x * x;
}

static int apply(int (*function)(int), int x) {
  return function(x);
}

int main(void) {
  static int (*const functions[])(int) = {twice, minus, square};
  const int x = heddle_input_schar("x");
  int (*chosen)(int);
  if (x < -50)
    chosen = functions[0];
  else if (x < 50)
    chosen = functions[1];
  else
    chosen = functions[2];
  const int result = apply(chosen, x);
  if (result > 10000) LEAF(1);
  if (result < -200) LEAF(2);
  if (result == 49) LEAF(3);
  return 0;
}
