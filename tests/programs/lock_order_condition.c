// SPDX-License-Identifier: MIT
// A wait on a condition variable takes its mutex again, under a lock that the thread took after it.
// expect: bugs=0 lock_order_warnings=1 lock_order_lines=ORDER
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
sem_t turn;

static void *waits(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&other);
  while (!ready) pthread_cond_wait(&c, &m); // ORDER
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&m);
  sem_post(&turn);
  return NULL;
}

static void *signals(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return NULL;
}

static void *takes_both(void *unused) {
  sem_wait(&turn);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&other); // ORDER
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t, u, v;
  sem_init(&turn, 0, 0);
  pthread_create(&t, NULL, waits, NULL);
  pthread_create(&u, NULL, signals, NULL);
  pthread_create(&v, NULL, takes_both, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  pthread_join(v, NULL);
  return 0;
}
