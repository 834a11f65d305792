// SPDX-License-Identifier: MIT
//
// buffer.c repaired: a consumer that was signalled checks again.
//
// expect: exit=0 verdict=clean warnings=0 runs=28
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

static heddle_monitor monitor = HEDDLE_MONITOR_SC;
static heddle_condition not_full = HEDDLE_CONDITION(&monitor), not_empty = HEDDLE_CONDITION(&monitor);
static int count;

static void put(void) {
  heddle_monitor_enter(&monitor);
  while (count == 1) heddle_wait(&not_full);
  count++;
  heddle_signal(&not_empty);
  heddle_monitor_exit(&monitor);
}

static void take(void) {
  heddle_monitor_enter(&monitor);
  while (count == 0) heddle_wait(&not_empty);
  assert(count == 1);
  count--;
  heddle_signal(&not_full);
  heddle_monitor_exit(&monitor);
}

static void *produce(void *unused) {
  put();
  put();
  return NULL;
}

static void *consume(void *unused) {
  take();
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, produce, NULL);
  for (int i = 1; i < 3; i++) pthread_create(&threads[i], NULL, consume, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
