// SPDX-License-Identifier: MIT
// Condition variables: initialised, destroyed, initialised again; attributes of the clock.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int waiting, ready;

static void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  waiting = 1;
  while (!ready) assert(pthread_cond_wait(&changed, &mutex) == 0);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_condattr_t attributes;
  clockid_t clock = CLOCK_REALTIME;
  assert(pthread_condattr_init(&attributes) == 0);
  assert(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
  assert(pthread_condattr_getclock(&attributes, &clock) == 0 && clock == CLOCK_MONOTONIC);
  assert(pthread_condattr_setclock(&attributes, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
  assert(pthread_cond_init(&changed, &attributes) == 0);
  assert(pthread_condattr_destroy(&attributes) == 0);
  assert(pthread_cond_signal(&changed) == 0 && pthread_cond_broadcast(&changed) == 0); // nobody hears it
  assert(pthread_cond_destroy(&changed) == 0);
  assert(pthread_cond_init(&changed, NULL) == 0);

  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  assert(pthread_cond_destroy(&changed) == 0);
  return 0;
}
