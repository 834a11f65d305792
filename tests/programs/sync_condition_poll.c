// SPDX-License-Identifier: MIT
// A thread that waits in a loop, each time for a while: the exploration ends, and nobody is stuck.
// expect: exit=3 verdict=incomplete complete=false
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
bool ready;

static void *maker(void *unused) {
  pthread_mutex_lock(&m);
  ready = true; /* and tells nobody */
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, maker, NULL);
  pthread_mutex_lock(&m);
  while (!ready) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec = 0;
    time.tv_sec++;
    pthread_cond_timedwait(&c, &m, &time);
  }
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
