// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"a binary semaphore with a value other than 0 or 1"
#include "heddle.h"

int main(void) {
  heddle_semaphore semaphore;
  heddle_semaphore_init_binary(&semaphore, 2); /* BUG */
  return 0;
}
