// SPDX-License-Identifier: MIT
// A thread that waits for a robust mutex gets it when the owner ends with it: no deadlock, unlike
// deadlock_abandoned_mutex.c. Either thread may be first; the second one is told, and what the first one did is before
// that.
// expect: exit=0 verdict=clean complete=true runs=2 warnings=1 warning~exit-with-lock
// observe: told=1 shared=2
#include "heddle.h"
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static int told[2], shared;

static void *leaver(void *mine) {
  *(int *)mine = pthread_mutex_lock(&m) == EOWNERDEAD;
  if (*(int *)mine) pthread_mutex_consistent(&m);
  shared++;
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &attributes);
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, leaver, &told[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  heddle_observe("told", told[0] + told[1]);
  heddle_observe("shared", shared);
  return 0;
}
