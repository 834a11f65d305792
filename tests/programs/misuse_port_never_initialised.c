// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"use of a port that was never initialised"
#include "heddle.h"

static heddle_port port;

int main(void) {
  heddle_send(&port, 1); /* BUG */
  return 0;
}
