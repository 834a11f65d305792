// SPDX-License-Identifier: MIT
// A signal that finds nobody is lost.
// expect: exit=1 bug=deadlock message~"waits for monitor"
#include "heddle.h"
#include <pthread.h>

static heddle_monitor monitor = HEDDLE_MONITOR_SC;
static heddle_condition ready = HEDDLE_CONDITION(&monitor);

static void *waiter(void *unused) {
  heddle_monitor_enter(&monitor);
  heddle_wait(&ready);
  heddle_monitor_exit(&monitor);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  heddle_monitor_enter(&monitor);
  heddle_signal(&ready);
  heddle_monitor_exit(&monitor);
  pthread_join(t, NULL);
  return 0;
}
