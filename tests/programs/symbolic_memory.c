// SPDX-License-Identifier: MIT
// realloc, memmove and overlapping copies keep terms.
// heddle: --check-solver
// expect: exit=0 verdict=clean paths=4
#include "heddle.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char *p = malloc(4);
  heddle_input_bytes("p", p, 4);
  const unsigned char first = p[0], third = p[2];
  p = realloc(p, 16);
  memmove(p + 1, p, 4);
  assert(p[1] == first && p[3] == third);
  memmove(p, p + 2, 3);
  assert(p[1] == third);
  memcpy(p + 8, p, 4);
  if (p[9] == 77) assert(third == 77);
  memset(p, 0, 16);
  assert(p[9] == 0 && p[1] == 0);
  memset(p, first, 16);
  if (p[15] == 200) assert(first == 200 && p[3] == 200);
  free(p);
  return 0;
}
