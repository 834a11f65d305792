// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"without an open alternative"
#include "heddle.h"

static int never(void *unused) {
  return 0;
}

int main(void) {
  heddle_port port = HEDDLE_PORT;
  const heddle_alternative alternative = {&port, never, 0};
  long message;
  return heddle_select(&alternative, 1, &message); /* BUG */
}
