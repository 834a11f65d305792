// SPDX-License-Identifier: MIT
// The waiter may still hold the mutex, or come to it later: only some schedules show it, whichever way. That destroying
// is an operation of its own is learned.
// expect: exit=1 bug=lock-misuse line=BUG
#include <pthread.h>

static pthread_mutex_t mutex;
static int done;

static void *worker(void *unused) {
  pthread_mutex_lock(&mutex); /* BUG */
  done = 1;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&mutex, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_destroy(&mutex);
  pthread_join(t, NULL);
  return 0;
}
