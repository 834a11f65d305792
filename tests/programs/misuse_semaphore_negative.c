// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"a semaphore with a negative value"
#include "heddle.h"

static heddle_semaphore semaphore;

int main(void) {
  heddle_semaphore_init(&semaphore, -1); /* BUG */
  return 0;
}
