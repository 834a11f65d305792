/* SPDX-License-Identifier: MIT
 *
 * Two threads add under a lock, ROUNDS times each. No interferences make the sum so large that a thread leaves.
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *unused) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&lock);
    const int too_large = sum == 1000;
    if (!too_large) sum++;
    pthread_mutex_unlock(&lock);
    if (too_large) return NULL;
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
