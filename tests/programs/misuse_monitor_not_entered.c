// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"leaves a monitor that it is not in"
#include "heddle.h"

int main(void) {
  heddle_monitor monitor = HEDDLE_MONITOR_SU;
  heddle_monitor_exit(&monitor); /* BUG */
  return 0;
}
