// SPDX-License-Identifier: MIT
// Taking a time-out for "it did not happen" is wrong if it happens just then.
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <errno.h>
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
  int result = 0;
  pthread_mutex_lock(&m);
  while (!ready && result == 0) result = pthread_cond_timedwait(&c, &m, &time);
  if (result == ETIMEDOUT) assert(!ready); // BUG
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
