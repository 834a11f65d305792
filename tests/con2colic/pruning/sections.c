/* SPDX-License-Identifier: MIT
 *
 * Two threads add under a lock, ROUNDS times each. No interferences make the sum so large that a thread leaves. QUIET:
 * each has a sum of its own, which nobody else reads.
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef QUIET
static int sums[2];
#else
static int sums[1];
#endif

static void *add(void *argument) {
  int *sum = argument;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&lock);
    const int too_large = *sum == 1000;
    if (!too_large) ++*sum;
    pthread_mutex_unlock(&lock);
    if (too_large) return NULL;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, &sums[i % (sizeof sums / sizeof *sums)]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
