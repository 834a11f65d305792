// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"destroy of a monitor's condition while threads wait on it"
#include "heddle.h"
#include <pthread.h>

static heddle_monitor monitor = HEDDLE_MONITOR_SC;
static heddle_condition condition = HEDDLE_CONDITION(&monitor);
static heddle_semaphore inside = HEDDLE_SEMAPHORE(0);

static void *waiter(void *unused) {
  heddle_monitor_enter(&monitor);
  heddle_V(&inside);
  heddle_wait(&condition);
  heddle_monitor_exit(&monitor);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  heddle_P(&inside);
  heddle_monitor_enter(&monitor);
  heddle_monitor_exit(&monitor);
  heddle_condition_destroy(&condition); /* BUG */
  pthread_join(t, NULL);
  return 0;
}
