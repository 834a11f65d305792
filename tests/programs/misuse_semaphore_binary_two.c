// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"a binary semaphore with another value than 0 and 1"
#include "heddle.h"

int main(void) {
  heddle_semaphore semaphore;
  heddle_semaphore_init_binary(&semaphore, 2); /* BUG */
  return 0;
}
