// SPDX-License-Identifier: MIT
// mbrossard/threadpool: two threads shut a pool down. The second one is told that it is being shut down already, but the pool's mutex
// stays locked: whoever needs it next waits forever.
#include "threadpool.h"

#include <pthread.h>
#include <stddef.h>

static threadpool_t *pool;

static void *destroy(void *unused) {
  threadpool_destroy(pool, 0);
  return NULL;
}

int main(void) {
  pthread_t other;
  pool = threadpool_create(1, 1, 0);
  pthread_create(&other, NULL, destroy, NULL);
  destroy(NULL);
  pthread_join(other, NULL);
  return 0;
}
