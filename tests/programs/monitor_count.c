// SPDX-License-Identifier: MIT
// Who enters first is all that is open: three threads, six orders, however much they do inside.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true runs=6
#include "heddle.h"
#include <pthread.h>

static heddle_monitor monitor = HEDDLE_MONITOR_SU;
static heddle_condition turn = HEDDLE_CONDITION(&monitor);
static int count, other;

static void *worker(void *unused) {
  heddle_monitor_enter(&monitor);
  if (count++ < 2) heddle_wait(&turn);
  other += count;
  heddle_signal_exit(&turn);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
