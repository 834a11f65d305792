// SPDX-License-Identifier: MIT
// Two threads poll a queue under one lock. A null round of one is no reason for the other to look again: otherwise they
// would keep each other going forever.
// expect: exit=0 verdict=clean complete=true runs=30
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int items;

static int take(void) {
  pthread_mutex_lock(&mutex);
  const int taken = items > 0;
  items -= taken;
  pthread_mutex_unlock(&mutex);
  return taken;
}

static void *consumer(void *unused) {
  while (!take()) usleep(100);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, consumer, 0);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    items++;
    pthread_mutex_unlock(&mutex);
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
