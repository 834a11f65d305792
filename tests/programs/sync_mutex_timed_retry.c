// SPDX-License-Identifier: MIT
// Three time-outs in a row while the owner stands still are possible: giving up after three tries can be wrong.
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *owner(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, owner, NULL);
  int tries = 0;
  for (; tries < 3; tries++) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec++;
    if (pthread_mutex_timedlock(&m, &time) == 0) break;
  }
  assert(tries < 3); // BUG
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
