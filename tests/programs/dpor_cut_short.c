// SPDX-License-Identifier: MIT
// A failed assumption ends the run before the other thread reaches the write that would make it hold, and that thread
// stands before a lock that nobody minds: the end of the run itself has to be reversed.
// heddle: --strategy dpor-2 --order first --races off
// expect: runs=2 blocked_runs=0 verdict=clean complete=true
// observe: y=1
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *assumes(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  heddle_assume(x == 1);
  y = 1;
  return NULL;
}

static void *writes(void *unused) {
  pthread_mutex_lock(&own);
  pthread_mutex_unlock(&own);
  x = 1;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, assumes, NULL);
  pthread_create(&threads[1], NULL, writes, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  heddle_observe("y", y);
  return 0;
}
