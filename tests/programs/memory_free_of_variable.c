// SPDX-License-Identifier: MIT
// expect: exit=1 bug=memory line=BUG message~"free of something that is not a heap block: variable"
#include <stdlib.h>

static int variable;

int main(void) {
  free(&variable); /* BUG */
  return 0;
}
