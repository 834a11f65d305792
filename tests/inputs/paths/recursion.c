// SPDX-License-Identifier: MIT
// Recursion whose depth depends on inputs.
#include "input.h"

static int gcd(int a, int b) {
  if (b == 0) return a;
  return gcd(b, a % b);
}

static int ackermann_like(int m, int n) {
  if (m <= 0) return n + 1;
  if (n <= 0) return ackermann_like(m - 1, 1);
  return ackermann_like(m - 1, n - 1) + 1;
}

int main(void) {
  const int a = (int)heddle_input_range("a", 1, 40), b = (int)heddle_input_range("b", 0, 40);
  if (gcd(a, b) == 7) LEAF(1);
  if (ackermann_like(a / 8, b / 8) > 4) LEAF(2);
  return 0;
}
