// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"enters a monitor that it is in"
#include "heddle.h"

int main(void) {
  heddle_monitor monitor = HEDDLE_MONITOR_SC;
  heddle_monitor_enter(&monitor);
  heddle_monitor_enter(&monitor); /* BUG */
  return 0;
}
