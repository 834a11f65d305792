// SPDX-License-Identifier: MIT
// A broadcast wakes all that wait; each of them enters again, in any order.
// expect: exit=0 verdict=clean complete=true
// observe: length=0 order=12
// observe: length=0 order=21
// observe: length=1 order=12
// observe: length=1 order=21
// observe: length=2 order=12
// observe: length=2 order=21
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

static heddle_monitor monitor = HEDDLE_MONITOR_SC;
static heddle_condition opened = HEDDLE_CONDITION(&monitor);
static int is_open, order;

static void *waiter(void *argument) {
  heddle_monitor_enter(&monitor);
  while (!is_open) heddle_wait(&opened);
  order = 10 * order + *(int *)argument;
  heddle_monitor_exit(&monitor);
  return NULL;
}

int main(void) {
  static int numbers[2] = {1, 2};
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, waiter, &numbers[i]);
  heddle_monitor_enter(&monitor);
  is_open = 1;
  heddle_observe("length", heddle_queue_length(&opened));
  heddle_broadcast(&opened);
  assert(heddle_queue_empty(&opened));
  heddle_monitor_exit(&monitor);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  heddle_observe("order", order);
  return 0;
}
