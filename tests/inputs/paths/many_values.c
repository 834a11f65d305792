// SPDX-License-Identifier: MIT
// solver: check
// More inputs in one expression and in one call than registers hold, several terms of one block that are used later,
// and floating-point values that must survive where terms are made.
#include "input.h"

static unsigned mix(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f, unsigned g, unsigned h) {
  return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h;
}

static double scale = 1;

static unsigned last(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f, unsigned g, unsigned h) {
  const double before = scale + 0.25;
  const unsigned sum = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h, product = (g + 1) * (h + 3), rest = product - sum;
  const double after = before * 4 + 1;
  if (rest > 40) LEAF((long)after + 10);
  if (sum == 3) LEAF(4);
  return product;
}

int main(void) {
  const unsigned a = heddle_input_bool("a"), b = heddle_input_bool("b"), c = heddle_input_bool("c");
  const unsigned x = heddle_input_uchar("x") & 15, y = x + 1;
  if (mix(a, b, c, a, b, c, x, y) > 260) LEAF(1);
  if ((a + x) * (b + y) * (c + 2) - (a ^ x) * (b ^ y) - (c & y) == 6 * x + 21) LEAF(2);
  if (last(a, b, c, x, y, a, y, x) == 90) LEAF(3);
  return 0;
}
