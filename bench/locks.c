/* SPDX-License-Identifier: MIT
 *
 * A lock-based program: three threads, each N times "lock, read and write two shared variables, unlock".
 */
#include <pthread.h>

#ifndef N
#define N 3
#endif
#define THREADS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, sum;

static void *worker(void *unused) {
  for (int k = 0; k < N; k++) {
    pthread_mutex_lock(&mutex);
    count++;
    sum += count;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return count != THREADS * N;
}
