/* SPDX-License-Identifier: MIT
 *
 * A deadlock that needs one thread to come far before the other one begins: random runs hardly ever meet it, and the
 * runs that show all events need not. It is found in the unfolding.
 */
// heddle: --strategy unfolding --seed 3
// expect: exit=1 bug=deadlock line=BUG
#include <pthread.h>

#define ROUNDS 30

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;

static void *late(void *unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
  }
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); // BUG
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}

static void *early(void *unused) {
  (void)unused;
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, late, NULL);
  pthread_create(&threads[1], NULL, early, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
