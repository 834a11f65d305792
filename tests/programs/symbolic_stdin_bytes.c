// SPDX-License-Identifier: MIT
// getchar: the first line has from 0 to 3 bytes, or none of the three ends it.
// heddle: --sym-stdin 3
// expect: exit=0 verdict=clean paths=4
// observe: length=0
// observe: length=1
// observe: length=2
// observe: length=3
#include "heddle.h"
#include <assert.h>
#include <stdio.h>

int main(void) {
  int c, n = 0;
  while ((c = getchar()) != EOF && c != '\n') n++;
  assert((c == EOF) == (n == 3) && (feof(stdin) != 0) == (n == 3));
  heddle_observe("length", n);
  return 0;
}
