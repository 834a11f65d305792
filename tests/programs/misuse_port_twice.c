// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"two alternatives for one port"
#include "heddle.h"

int main(void) {
  heddle_port port = HEDDLE_PORT;
  const heddle_alternative alternatives[] = {{&port, 0, 0}, {&port, 0, 0}};
  long message;
  return heddle_select_else(alternatives, 2, &message); /* BUG */
}
