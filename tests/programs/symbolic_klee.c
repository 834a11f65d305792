// SPDX-License-Identifier: MIT
// The names of KLEE. Paths: x is 7; r is 12; x is less; y is greater than x, or not.
// heddle: --check-solver
// expect: exit=0 verdict=clean paths=5
// observe: seven=7
// observe: twelve=12
#include "heddle.h"
#include <assert.h>
#include <stddef.h>

void klee_make_symbolic(void *, size_t, const char *);
void klee_assume(unsigned long);
int klee_range(int, int, const char *);
int klee_int(const char *);

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x > 3);
  const int r = klee_range(10, 13, "r"), y = klee_int("y");
  assert(r >= 10 && r < 13 && x > 3);
  if (x == 7) {
    heddle_observe("seven", 7);
    return 0;
  }
  if (r == 12) {
    heddle_observe("twelve", 12);
    return 0;
  }
  if (x < 7) return 0;
  assert(x > 7 && r < 12);
  if (y > x) assert(y > 8);
  return 0;
}
