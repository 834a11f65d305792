/* SPDX-License-Identifier: MIT
 *
 * T threads of N steps; with FAILS, an assertion of some of their orders fails.
 */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
static int x[2], failing;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *thread(void *argument) {
  const int me = (int)(long)argument;
  for (int i = 0; i < N; i++) {
    if (i % 2) pthread_mutex_lock(&m);
    x[i % 2] = x[i % 2] * 3 + me;
    if (i % 2) pthread_mutex_unlock(&m);
  }
  assert(!FAILS || x[0] % 7 != 3 || failing++);
  return NULL;
}
int main(void) {
  pthread_t threads[T];
  for (long i = 0; i < T; i++) pthread_create(&threads[i], NULL, thread, (void *)(i + 1));
  for (int i = 0; i < T; i++) pthread_join(threads[i], NULL);
  heddle_observe("x", x[0]);
  heddle_observe("y", x[1]);
  return 0;
}
