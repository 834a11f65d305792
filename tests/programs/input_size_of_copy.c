// SPDX-License-Identifier: MIT
// The length of a copy is an input: every length is tried.
// heddle: --keep-going
// expect: exit=1 verdict=bug bugs=1 bug=assertion complete=true
#include "heddle.h"
#include <assert.h>
#include <string.h>

static char from[256], to[256];

int main(void) {
  const long long n = heddle_input_range("n", 0, 200);
  memset(from, 'x', 255);
  memcpy(to, from, (size_t)n);
  assert(strlen(to) != 77);
  return 0;
}
