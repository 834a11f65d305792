// SPDX-License-Identifier: MIT
// Which mutex is locked depends on an input: each of them is tried, and another one than the thread's does not protect.
// heddle: --keep-going
// expect: exit=1 verdict=bug bugs=1 bug=assertion complete=true
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t locks[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static int busy;

static void *body(void *unused) {
  pthread_mutex_lock(&locks[2]);
  busy++;
  busy--;
  pthread_mutex_unlock(&locks[2]);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  const long long i = heddle_input_range("i", 0, 3);
  pthread_mutex_lock(&locks[i]);
  assert(busy == 0);
  pthread_mutex_unlock(&locks[i]);
  pthread_join(thread, NULL);
  return 0;
}
