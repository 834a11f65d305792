// SPDX-License-Identifier: MIT
// What goes through a message queue is made concrete there, and that is said; what was decided before is still so.
// expect: exit=3 verdict=incomplete bugs=0 paths=2 output~"whose model needs its value"
// observe: positive=1
#include "heddle.h"
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>

int main(void) {
  int x = heddle_input_int("x"), y = 0;
  const mqd_t queue = mq_open("/q", O_RDWR | O_CREAT, 0600, &(struct mq_attr){.mq_maxmsg = 2, .mq_msgsize = sizeof x});
  if (x > 0) heddle_observe("positive", 1);
  assert(mq_send(queue, (const char *)&x, sizeof x, 0) == 0);
  assert(mq_receive(queue, (char *)&y, sizeof y, 0) == sizeof y);
  assert(y == x);
  if (y > 0) assert(x > 0);
  return 0;
}
