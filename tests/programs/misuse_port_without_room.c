// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"without room for a message"
#include "heddle.h"

int main(void) {
  heddle_port port;
  heddle_port_init_bounded(&port, 0); /* BUG */
  return 0;
}
