// SPDX-License-Identifier: MIT
// Two rwlocks in two orders, the second one for writing. A semaphore keeps them from the deadlock.
// expect: exit=0 bugs=0 lock_order_warnings=1 lock_order_lines=ORDER
#include <pthread.h>
#include <semaphore.h>

pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
sem_t turn;

static void *forwards(void *unused) {
  pthread_rwlock_rdlock(&a);
  pthread_rwlock_wrlock(&b); // ORDER
  pthread_rwlock_unlock(&b);
  pthread_rwlock_unlock(&a);
  sem_post(&turn);
  return NULL;
}

static void *backwards(void *unused) {
  sem_wait(&turn);
  pthread_rwlock_rdlock(&b);
  pthread_rwlock_wrlock(&a); // ORDER
  pthread_rwlock_unlock(&a);
  pthread_rwlock_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  sem_init(&turn, 0, 0);
  pthread_create(&t, NULL, forwards, NULL);
  pthread_create(&u, NULL, backwards, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
