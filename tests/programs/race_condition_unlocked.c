// SPDX-License-Identifier: MIT
// The flag is set without the mutex that the waiting thread reads it under.
// heddle: --keep-going
// expect: exit=1 bug=deadlock data_race_warnings=1 data_race_lines=RACE
#include <pthread.h>

int ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *producer(void *unused) {
  ready = 1; // RACE
  pthread_cond_signal(&c);
  return NULL;
}

static void *consumer(void *unused) {
  pthread_mutex_lock(&m);
  while (!ready) // RACE
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
