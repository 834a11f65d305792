// SPDX-License-Identifier: MIT
// A bounded buffer done right.
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int full, slot;

static void *producer(void *unused) {
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&m);
    while (full) pthread_cond_wait(&changed, &m);
    slot = i;
    full = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
  }
  return NULL;
}

static void *consumer(void *unused) {
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&m);
    while (!full) pthread_cond_wait(&changed, &m);
    assert(slot == i);
    full = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
  }
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
