// SPDX-License-Identifier: MIT
// Two threads take two locks in two orders. Only a semaphore that has nothing to do with the locks keeps them from the
// deadlock.
// expect: exit=0 bugs=0 lock_order_warnings=1 lock_order_lines=ORDER
// expect: warning~"'locks': ['a']" warning~"'locks': ['b']" warning~"'threads': ['t1', 't2']"
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
sem_t turn;

static void *forwards(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); // ORDER
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  sem_post(&turn);
  return NULL;
}

static void *backwards(void *unused) {
  sem_wait(&turn);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a); // ORDER
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
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
