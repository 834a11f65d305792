// SPDX-License-Identifier: MIT
// The signal is lost when it comes before the wait: no branch says so.
// heddle: --strategy con2colic
// expect: exit=1 bug=deadlock verdict=bug
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void *wait(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&ready, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait, NULL);
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
