// SPDX-License-Identifier: MIT
// atoi of two symbolic bytes. Each byte is a space (two kinds), a sign (two kinds), a digit or the end: after a space
// six ways, twice; after a sign or a digit two, three times; otherwise one. Of two digits 42 is another; after a minus
// the program tells 0 from other digits, and what is below from what is above them.
// heddle: --check-solver
// expect: exit=0 verdict=clean paths=22
// observe: answer=42
// observe: negative=1
#include "heddle.h"
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char s[3];
  heddle_input_bytes("s", s, 2);
  s[2] = 0;
  const int n = atoi(s);
  if (n == 42) {
    heddle_observe("answer", 42);
    assert(s[0] == '4' && s[1] == '2');
  }
  if (s[0] == '-' && s[1] >= '1' && s[1] <= '9') {
    assert(n == '0' - s[1]);
    heddle_observe("negative", 1);
  }
  return 0;
}
