// SPDX-License-Identifier: MIT
//
// A worker sleeps until there is work.
//
// What is wrong: the worker looks at `work` before it takes the lock. When the signal comes between the look and the
// wait, nobody hears it and the worker sleeps forever. wakeup_fixed.c looks while it holds the lock.
//
// expect: exit=1 bug=deadlock runs<=200
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int work;

static void *worker(void *unused) {
  while (!work) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&arrived, &mutex);
    pthread_mutex_unlock(&mutex);
  }
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
