// SPDX-License-Identifier: MIT
// How deep the recursion goes is an input: a path per depth.
// expect: exit=0 verdict=clean complete=true paths=201 runs=201
#include "heddle.h"

static int down(int n) {
  return n <= 0 ? 0 : 1 + down(n - 1);
}

int main(void) {
  heddle_observe("even", down((int)heddle_input_range("n", 0, 200)) % 2);
  return 0;
}
