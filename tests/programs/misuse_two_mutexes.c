// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"with a different mutex than a thread that already waits"
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *waiter(void *argument) {
  pthread_mutex_t *mutex = argument;
  pthread_mutex_lock(mutex);
  pthread_cond_wait(&changed, mutex); /* BUG */
  pthread_mutex_unlock(mutex);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, waiter, &mutexes[0]);
  pthread_create(&t, NULL, waiter, &mutexes[1]);
  return 0;
}
