// SPDX-License-Identifier: MIT
// A signal in a monitor of kind SU: the thread that is signalled continues at once, the one that signalled comes before
// all who want to enter.
// expect: exit=0 verdict=clean complete=true
// observe: order=123
#include "heddle.h"
#include <pthread.h>

static heddle_monitor monitor = HEDDLE_MONITOR_SU;
static heddle_condition ready = HEDDLE_CONDITION(&monitor);
static heddle_semaphore waits = HEDDLE_SEMAPHORE(0), go = HEDDLE_SEMAPHORE(0);
static int order;

static void note(int who) {
  order = 10 * order + who;
}

static void *waiter(void *unused) {
  heddle_monitor_enter(&monitor);
  heddle_V(&waits);
  heddle_wait(&ready);
  note(1);
  heddle_monitor_exit(&monitor);
  return NULL;
}

static void *third(void *unused) {
  heddle_P(&go);
  heddle_monitor_enter(&monitor);
  note(3);
  heddle_monitor_exit(&monitor);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, waiter, NULL);
  pthread_create(&t[1], NULL, third, NULL);
  heddle_P(&waits);
  heddle_monitor_enter(&monitor);
  heddle_V(&go);
  heddle_signal(&ready);
  note(2);
  heddle_monitor_exit(&monitor);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  heddle_observe("order", order);
  return 0;
}
