// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"a semaphore with a negative value"
#include "heddle.h"

static heddle_semaphore semaphore = HEDDLE_SEMAPHORE(-2);

int main(void) {
  heddle_V(&semaphore); /* BUG */
  return 0;
}
