// SPDX-License-Identifier: MIT
// A timed wait: signalled; timed out before anything happened; timed out although what it waits for has happened, as
// the mutex was taken first by the one who makes it happen; or not needed.
// expect: exit=0 verdict=clean complete=true
// observe: result=-1 ready=1
// observe: result=0 ready=1
// observe: result=110 ready=0
// observe: result=110 ready=1
#include "heddle.h"
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

static void *maker(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, maker, NULL);
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec++;
  pthread_mutex_lock(&m);
  const int result = ready ? -1 : pthread_cond_timedwait(&c, &m, &time);
  heddle_observe("result", result);
  heddle_observe("ready", ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
