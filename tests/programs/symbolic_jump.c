// SPDX-License-Identifier: MIT
// setjmp and longjmp: the value that comes back is concrete, what was computed before is still followed.
// expect: exit=0 verdict=clean paths=3
// observe: way=1
// observe: way=2
// observe: way=3
#include "heddle.h"
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;
static int x;

static void check(int value) {
  if (value > 10) longjmp(back, value > 20 ? 2 : 1);
}

int main(void) {
  x = heddle_input_int("x");
  switch (setjmp(back)) {
  case 0:
    check(x);
    assert(x <= 10);
    heddle_observe("way", 3);
    break;
  case 1:
    assert(x > 10 && x <= 20);
    heddle_observe("way", 1);
    break;
  default:
    assert(x > 20);
    heddle_observe("way", 2);
    break;
  }
  return 0;
}
