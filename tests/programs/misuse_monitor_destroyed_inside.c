// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"destroy of a monitor that a thread is in"
#include "heddle.h"

int main(void) {
  heddle_monitor monitor = HEDDLE_MONITOR_SU;
  heddle_monitor_enter(&monitor);
  heddle_monitor_destroy(&monitor); /* BUG */
  return 0;
}
