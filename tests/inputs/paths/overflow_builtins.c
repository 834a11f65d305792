// SPDX-License-Identifier: MIT
// Builtins that say whether an operation overflows.
// solver: check
#include "input.h"

#include <limits.h>

int main(void) {
  const unsigned char x = heddle_input_uchar("x");
  const signed char y = heddle_input_schar("y");
  int sum, difference;
  long product;
  unsigned char narrow;
  unsigned unsigned_product;
  if (__builtin_add_overflow(INT_MAX - 100, x, &sum)) LEAF(1);
  if (sum == INT_MIN + 3) LEAF(2);
  if (__builtin_sub_overflow(INT_MIN + 50, y, &difference)) LEAF(3);
  if (__builtin_mul_overflow((long)y, LONG_MAX / 50, &product)) LEAF(4);
  if (__builtin_add_overflow(x, 200, &narrow)) LEAF(5);
  if (narrow == 17) LEAF(6);
  if (__builtin_mul_overflow(x * 1000u, 100000u, &unsigned_product)) LEAF(7);
  return 0;
}
