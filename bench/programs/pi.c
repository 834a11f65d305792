/* SPDX-License-Identifier: MIT
 *
 * Parallel Pi, as the papers on LCT and on unfoldings describe it: THREADS threads integrate 4 / (1 + x^2) over a part
 * of [0, 1] each and add their result to the sum under a lock. n! traces.
 */
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#define STEPS 60

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double pi;

static void *thread(void *argument) {
  double part = 0;
  for (long i = (long)argument; i < STEPS; i += THREADS) {
    const double x = ((double)i + 0.5) / STEPS;
    part += 4 / (1 + x * x) / STEPS;
  }
  pthread_mutex_lock(&lock);
  pi += part;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, thread, (void *)t);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  assert(pi > 3.14 && pi < 3.15);
  return 0;
}
