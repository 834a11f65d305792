// SPDX-License-Identifier: MIT
// pthread_mutex_trylock succeeds or says EBUSY, never waits.
// expect: exit=0 verdict=clean
// observe: both=0
// observe: both=1
#include "heddle.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int got[2];

static void *worker(void *argument) {
  const int result = pthread_mutex_trylock(&m);
  assert(result == 0 || result == EBUSY);
  got[(long)argument] = result == 0;
  if (result == 0) pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(got[0] || got[1]);
  heddle_observe("both", got[0] && got[1]);
  return 0;
}
