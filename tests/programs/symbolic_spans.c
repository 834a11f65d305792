// SPDX-License-Identifier: MIT
// strspn, strcspn and strpbrk of two symbolic bytes: each byte is the end, in the set, or not: five
// ways each, and in the first the assertions tell 0 from 1 five times more.
// heddle: --check-solver
// expect: exit=0 verdict=clean paths=20
// observe: digits=0
// observe: digits=1
// observe: digits=2
// observe: other=0
// observe: other=1
// observe: other=2
// observe: first=-1
// observe: first=0
// observe: first=1
#include "heddle.h"
#include <assert.h>
#include <string.h>

int main(void) {
  char s[3] = "";
  heddle_input_bytes("s", s, 2);
  switch (heddle_input_range("which", 0, 2)) {
  case 0: {
    const size_t n = strspn(s, "01");
    heddle_observe("digits", (long)n);
    for (size_t i = 0; i < n; i++) assert(s[i] == '0' || s[i] == '1');
    assert(s[n] != '0' && s[n] != '1');
    break;
  }
  case 1: {
    const size_t n = strcspn(s, "+-");
    heddle_observe("other", (long)n);
    for (size_t i = 0; i < n; i++) assert(s[i] != '+' && s[i] != '-' && s[i]);
    break;
  }
  default: {
    const char *found = strpbrk(s, "+-");
    heddle_observe("first", found ? found - s : -1);
    break;
  }
  }
  return 0;
}
