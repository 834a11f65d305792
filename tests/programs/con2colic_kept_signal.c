// SPDX-License-Identifier: MIT
// The same with a flag that is looked at: no wait is forever.
// heddle: --strategy con2colic
// expect: exit=0 verdict=clean complete=true
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *wait(void *unused) {
  pthread_mutex_lock(&lock);
  while (!is_ready) pthread_cond_wait(&ready, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait, NULL);
  pthread_mutex_lock(&lock);
  is_ready = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
