// SPDX-License-Identifier: MIT
// Inputs in runs of their own processes, one of which crashes.
// heddle: --isolation fork
// expect: exit=1 verdict=bug bugs=1 line=BUG paths=4
#include "heddle.h"
#include <assert.h>

int main(void) {
  const int x = heddle_input_int("x");
  unsigned char s[2];
  heddle_input_bytes("s", s, 2);
  if (x == 100) {
    if (s[1] == 9) *(volatile int *)0 = 1; /* BUG */
    return 0;
  }
  if (x > 1000) assert(x != 100);
  return 0;
}
