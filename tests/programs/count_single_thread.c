// SPDX-License-Identifier: MIT
// A program without threads has one run and no visible operations.
// expect: exit=0 verdict=clean runs=1 visible_operations=0 threads=1
#include <stdlib.h>

int x;

int main(void) {
  for (int i = 0; i < 100; i++) x += i;
  int *p = malloc(sizeof *p);
  *p = x;
  free(p);
  return 0;
}
