// SPDX-License-Identifier: MIT
// Two threads poll a queue under one lock, and there is one item: the other polls forever.
// expect: exit=1 bug=livelock
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
  for (int i = 0; i < 1; i++) {
    pthread_mutex_lock(&mutex);
    items++;
    pthread_mutex_unlock(&mutex);
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
