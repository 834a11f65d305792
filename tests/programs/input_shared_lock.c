// SPDX-License-Identifier: MIT
// Values that depend on inputs go through shared memory under a lock; the sum of two threads decides in main.
// expect: exit=0 verdict=clean complete=true observations=2
// observe: hit=0
// observe: hit=1
#include "heddle.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

static void *worker(void *unused) {
  const int part = heddle_input_int("part");
  pthread_mutex_lock(&lock);
  total += part;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  int hit = 0;
  if (total == 4000000001) hit = 1;
  heddle_observe("hit", hit);
  return 0;
}
