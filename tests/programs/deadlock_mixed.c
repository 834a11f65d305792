// SPDX-License-Identifier: MIT
// A mutex and a semaphore.
// expect: exit=1 bug=deadlock
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sem_t s;

static void *taker(void *unused) {
  pthread_mutex_lock(&m);
  sem_wait(&s);
  pthread_mutex_unlock(&m);
  return NULL;
}

static void *giver(void *unused) {
  pthread_mutex_lock(&m);
  sem_post(&s);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  sem_init(&s, 0, 0);
  pthread_t a, b;
  pthread_create(&a, NULL, taker, NULL);
  pthread_create(&b, NULL, giver, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
