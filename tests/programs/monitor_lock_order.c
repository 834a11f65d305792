// SPDX-License-Identifier: MIT
// Two monitors entered in two orders.
// expect: exit=1 bug=deadlock
// expect: warning~"two orders"
#include "heddle.h"
#include <pthread.h>

static heddle_monitor monitors[2] = {HEDDLE_MONITOR_SC, HEDDLE_MONITOR_SU};

static void *worker(void *argument) {
  const int first = *(int *)argument;
  heddle_monitor_enter(&monitors[first]);
  heddle_monitor_enter(&monitors[1 - first]);
  heddle_monitor_exit(&monitors[1 - first]);
  heddle_monitor_exit(&monitors[first]);
  return NULL;
}

int main(void) {
  static int numbers[2] = {0, 1};
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
