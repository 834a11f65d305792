// SPDX-License-Identifier: MIT
//
// wakeup.c repaired: the condition is checked under the lock, so no signal comes between check and wait.
//
// expect: exit=0 verdict=clean warnings=0 runs=2
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int work;

static void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!work) pthread_cond_wait(&arrived, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_mutex_lock(&mutex);
  work = 1;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
