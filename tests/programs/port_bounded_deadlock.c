// SPDX-License-Identifier: MIT
// expect: exit=1 bug=deadlock line=BUG message~"main waits for port"
#include "heddle.h"

int main(void) {
  heddle_port port = HEDDLE_BOUNDED_PORT(2);
  for (int i = 0; i < 3; i++) heddle_send(&port, i); /* BUG */
  return 0;
}
