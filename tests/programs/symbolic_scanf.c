// SPDX-License-Identifier: MIT
// scanf makes the bytes it reads concrete, and that is said.
// heddle: --sym-stdin 2
// expect: exit=3 verdict=incomplete bugs=0
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n = 7;
  if (scanf("%d", &n) == 1) assert(n < 100);
  return 0;
}
