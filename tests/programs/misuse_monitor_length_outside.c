// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"outside its monitor"
#include "heddle.h"

int main(void) {
  heddle_monitor monitor = HEDDLE_MONITOR_SC;
  heddle_condition condition = HEDDLE_CONDITION(&monitor);
  return heddle_queue_length(&condition); /* BUG */
}
