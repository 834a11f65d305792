// SPDX-License-Identifier: MIT
// expect: exit=1 bug=memory line=BUG message~"free of something that is not a heap block"
#include <stdlib.h>

int main(void) {
  int local = 1;
  int *volatile pointer = &local;
  free(pointer); /* BUG */
  return 0;
}
