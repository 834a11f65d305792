// SPDX-License-Identifier: MIT
// An index one too far: all branches are covered before it is tried.
// heddle: --strategy con2colic
// expect: exit=1 bug=memory line=BUG verdict=bug
#include "heddle.h"

#include <stdlib.h>

int main(void) {
  char *name = malloc(12);
  const int length = heddle_input_int("length");
  if (length < 0 || length > 12) return 0;
  name[length] = 0; // BUG
  free(name);
  return 0;
}
