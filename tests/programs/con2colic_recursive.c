// SPDX-License-Identifier: MIT
// A thread that has a recursive mutex gets it again, whatever the other one does: the second attempt has one outcome.
// heddle: --strategy con2colic
// expect: exit=0 verdict=clean complete=true
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int taken;

static void *takes(void *unused) {
  if (pthread_mutex_trylock(&mutex) != 0) return unused;
  assert(pthread_mutex_trylock(&mutex) == 0);
  taken++;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, takes, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(taken > 0);
  return 0;
}
