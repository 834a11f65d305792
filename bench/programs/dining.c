/* SPDX-License-Identifier: MIT
 *
 * Dining philosophers: PHILOSOPHERS of them eat MEALS times each, and take the left fork first; the first REVERSED of
 * them the right one. The unfolding paper has 4, 5 and 6 philosophers that eat twice. Left-first, eating once, there
 * are 2^n - 1 traces, one of them the deadlock.
 */
#include <pthread.h>

#ifndef PHILOSOPHERS
#define PHILOSOPHERS 3
#endif
#ifndef MEALS
#define MEALS 2
#endif
#ifndef REVERSED
#define REVERSED 0
#endif

static pthread_mutex_t forks[PHILOSOPHERS];

static void *philosopher(void *argument) {
  const int self = (int)(long)argument, next = (self + 1) % PHILOSOPHERS;
  pthread_mutex_t *const first = &forks[self < REVERSED ? next : self];
  pthread_mutex_t *const second = &forks[self < REVERSED ? self : next];
  for (int meal = 0; meal < MEALS; meal++) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; i++) pthread_mutex_init(&forks[i], NULL);
  for (long t = 0; t < PHILOSOPHERS; t++) pthread_create(&threads[t], NULL, philosopher, (void *)t);
  for (int t = 0; t < PHILOSOPHERS; t++) pthread_join(threads[t], NULL);
  return 0;
}
