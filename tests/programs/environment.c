// SPDX-License-Identifier: MIT
// Constructors, getenv, setjmp, qsort callbacks, variable arguments: ordinary C works.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int constructed;

__attribute__((constructor)) static void construct(void) {
  constructed = 1;
}

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int total = 0;
  while (n--) total += va_arg(list, int);
  va_end(list);
  return total;
}

static jmp_buf place;

int main(void) {
  assert(constructed);
  assert(getenv("PATH"));
  int values[] = {3, 1, 2};
  qsort(values, 3, sizeof *values, compare);
  assert(values[0] == 1 && values[2] == 3);
  assert(sum(3, 1, 2, 3) == 6);
  volatile int jumps = 0;
  if (setjmp(place) < 3) longjmp(place, ++jumps + 0);
  assert(jumps == 3);
  int n = 4;
  int array[n];
  memset(array, 0, sizeof array);
  assert(array[3] == 0);
  char text[20];
  snprintf(text, sizeof text, "%.2f", 1.5);
  assert(strcmp(text, "1.50") == 0);
  return 0;
}
