// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"a guard of a selective wait waits"
#include "heddle.h"

static heddle_port port = HEDDLE_PORT, other = HEDDLE_SYNCHRONOUS_PORT;

static int guard(void *unused) {
  heddle_send(&other, 1); /* BUG */
  return 1;
}

int main(void) {
  const heddle_alternative alternative = {&port, guard, 0};
  long message;
  heddle_send(&port, 1);
  return heddle_select(&alternative, 1, &message);
}
