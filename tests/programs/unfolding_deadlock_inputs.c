/* SPDX-License-Identifier: MIT
 *
 * Two circles of locks that the unfolding contains. One of them needs an input to be large and small at once; the other
 * one needs it to be 42, and one thread to come far before the other one begins.
 */
// heddle: --strategy contextual --seed 3 --keep-going
// expect: exit=1 bug=deadlock line=BUG complete=true
#include "heddle.h"

#include <pthread.h>

#define ROUNDS 30

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER,
                       own = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *late(void *unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
  }
  if (x == 42) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // BUG
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
  } else if (x > 100) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&a);
  }
  return NULL;
}

static void *early(void *unused) {
  pthread_mutex_t *const first = x < 50 ? &b : &own;
  pthread_mutex_t *const other = x < 50 ? &c : &own;
  (void)unused;
  pthread_mutex_lock(first);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(first);
  pthread_mutex_lock(other);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(other);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  x = heddle_input_int("x");
  pthread_create(&threads[0], NULL, late, NULL);
  pthread_create(&threads[1], NULL, early, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
