// SPDX-License-Identifier: MIT
// expect: exit=1 bug=deadlock line=BUG message~"main waits for binary semaphore"
#include "heddle.h"

int main(void) {
  heddle_semaphore binary = HEDDLE_BINARY_SEMAPHORE(0);
  heddle_V(&binary);
  heddle_V(&binary); /* BUG */
  return 0;
}
