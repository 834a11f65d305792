// SPDX-License-Identifier: MIT
// strtol of symbolic digits: the value and where it ends; with another base the digits are made concrete.
// heddle: --check-solver
// expect: exit=3 verdict=incomplete bugs=0
// observe: found=731
// observe: hexadecimal=1
#include "heddle.h"
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char s[4], *end;
  heddle_input_bytes("s", s, 3);
  s[3] = 0;
  for (int i = 0; i < 3; i++) heddle_assume(s[i] >= '0' && s[i] <= '9');
  const long n = strtol(s, &end, 10);
  assert(end == s + 3 && n >= 0 && n < 1000 && n % 10 == s[2] - '0');
  if (n == 731) {
    heddle_observe("found", 731);
    return 0;
  }
  if (n < 990) return 0;
  assert(strtoul(s, NULL, 16) >= 0x990);
  heddle_observe("hexadecimal", 1);
  return 0;
}
