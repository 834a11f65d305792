// SPDX-License-Identifier: MIT
// Runs of 2,000 steps that differ in the last ones: they start from checkpoints along the way.
// heddle: --strategy optimal
// expect: runs=90 verdict=clean complete=true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;
static int turns;

static void *worker(void *unused) {
  for (int i = 0; i < 2; i++) atomic_fetch_add(&x, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 1000; i++) {
    pthread_mutex_lock(&mutex);
    turns++;
    pthread_mutex_unlock(&mutex);
  }
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(x == 6 && turns == 1000);
}
