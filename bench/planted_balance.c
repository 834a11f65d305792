/* SPDX-License-Identifier: MIT
 *
 * For minimisation: test and use apart, once, among much that is right. Needs 2 context switches.
 */
#include <assert.h>
#include <pthread.h>
#define ROUNDS 700
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long total, balance = 1;
static void *work(void *unused) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&mutex);
    total += i;
    pthread_mutex_unlock(&mutex);
    if (i == ROUNDS / 2 && balance > 0) {
      balance--;
      assert(balance >= 0);
    }
  }
  return unused;
}
int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
}
