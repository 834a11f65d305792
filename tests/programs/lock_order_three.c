// SPDX-License-Identifier: MIT
// A cycle of three locks and three threads. No two of them take two locks in two orders. One warning, whichever thread
// comes last: each is in the middle between a wait and a post of one semaphore.
// expect: exit=0 bugs=0 lock_order_warnings=1 warning~"cycle of more than two locks"
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
sem_t turn;

static void *one(void *unused) {
  sem_wait(&turn);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  sem_post(&turn);
  return NULL;
}

static void *two(void *unused) {
  sem_wait(&turn);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&c);
  pthread_mutex_unlock(&c);
  pthread_mutex_unlock(&b);
  sem_post(&turn);
  return NULL;
}

static void *three(void *unused) {
  sem_wait(&turn);
  pthread_mutex_lock(&c);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&c);
  sem_post(&turn);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  sem_init(&turn, 0, 1);
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  pthread_create(&t[2], NULL, three, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
