// SPDX-License-Identifier: MIT
// fgets, fread and read take from the same bytes. The line has one byte, or two, or no end within its two bytes.
// heddle: --sym-stdin 4 --check-solver
// expect: exit=0 verdict=clean paths=6
// observe: last=120
#include "heddle.h"
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  char line[3], rest[4];
  const char *const end = fgets(line, sizeof line, stdin);
  assert(end == line);
  const int length = line[0] == '\n' ? 1 : 2;
  assert(line[length] == 0);
  assert(fread(rest, 1, 1, stdin) == 1);
  const ssize_t left = read(0, rest + 1, 3);
  assert(left == 3 - length);
  if (rest[1] == 'x') heddle_observe("last", 'x');
  assert(read(0, rest, 1) == 0 && getchar() == EOF);
  return 0;
}
