// SPDX-License-Identifier: MIT
// A polling loop that takes a lock, writes what is there already, signals and sleeps: after a round that has changed
// nothing it rests until the worker does something.
// expect: exit=0 verdict=clean complete=true runs=4
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int stop, alive = 1;

static void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!stop) pthread_cond_wait(&condition, &mutex);
  alive = 0;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  for (;;) {
    pthread_mutex_lock(&mutex);
    const int is_alive = alive;
    stop = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    if (!is_alive) break;
    sleep(1);
  }
  pthread_join(thread, 0);
  return 0;
}
