// SPDX-License-Identifier: MIT
// Bit-fields, padding, and memory that functions nobody sees may have written: nothing is undefined for certain.
// expect: exit=0 verdict=clean warnings=0
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct flags {
  unsigned a : 3, b : 5;
  char letter;
  int number;
};

int main(void) {
  struct flags *flags = malloc(sizeof *flags), *copy = malloc(sizeof *copy);
  flags->b = 0;
  flags->a = 5;
  flags->letter = 'x';
  flags->number = 1;
  *copy = *flags;
  struct timespec *now = malloc(sizeof *now);
  clock_gettime(CLOCK_MONOTONIC, now);
  char *line = malloc(20);
  snprintf(line, 20, "%d", copy->a + copy->number);
  return now->tv_sec < 0 || line[0] != '6';
}
