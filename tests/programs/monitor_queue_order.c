// SPDX-License-Identifier: MIT
// Condition queues are first in, first out: two that wait in this order are signalled in this order.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true
// observe: order=12
// observe: order=21
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

static heddle_monitor monitor = HEDDLE_MONITOR_SU;
static heddle_condition queue = HEDDLE_CONDITION(&monitor), both = HEDDLE_CONDITION(&monitor);
static int came, order, went;

static void *waiter(void *argument) {
  const int me = *(int *)argument;
  heddle_monitor_enter(&monitor);
  came = 10 * came + me;
  if (came > 10) heddle_signal(&both);
  heddle_wait(&queue);
  went = 10 * went + me;
  heddle_monitor_exit(&monitor);
  return NULL;
}

int main(void) {
  static int numbers[2] = {1, 2};
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, waiter, &numbers[i]);
  heddle_monitor_enter(&monitor);
  while (heddle_queue_length(&queue) < 2) {
    if (came < 10) heddle_wait(&both);
    heddle_monitor_exit(&monitor);
    heddle_monitor_enter(&monitor);
  }
  heddle_signal(&queue);
  heddle_signal(&queue);
  assert(came == went);
  order = went;
  heddle_monitor_exit(&monitor);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  heddle_observe("order", order);
  return 0;
}
