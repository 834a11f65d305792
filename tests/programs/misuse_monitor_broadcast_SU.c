// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"broadcast in a monitor with signal-and-urgent-wait"
#include "heddle.h"

int main(void) {
  heddle_monitor monitor = HEDDLE_MONITOR_SU;
  heddle_condition condition = HEDDLE_CONDITION(&monitor);
  heddle_monitor_enter(&monitor);
  heddle_broadcast(&condition); /* BUG */
  return 0;
}
