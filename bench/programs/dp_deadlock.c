/* SPDX-License-Identifier: MIT
 *
 * DP-deadlock of Lei and Carver, after Godefroid: PHILOSOPHERS philosophers take the fork to their left, then the one
 * to their right, eat once and put both down. Forks are semaphores. There are 2^n - 1 sequences, one of them a
 * deadlock.
 */
#include "heddle.h"
#include <pthread.h>

#ifndef PHILOSOPHERS
#define PHILOSOPHERS 3
#endif

static heddle_semaphore forks[PHILOSOPHERS];

static void *philosopher(void *argument) {
  const int self = (int)(long)argument, next = (self + 1) % PHILOSOPHERS;
  heddle_P(&forks[self]);
  heddle_P(&forks[next]);
  heddle_V(&forks[self]);
  heddle_V(&forks[next]);
  return NULL;
}

int main(void) {
  pthread_t threads[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; i++) heddle_semaphore_init(&forks[i], 1);
  for (long i = 0; i < PHILOSOPHERS; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
  for (int i = 0; i < PHILOSOPHERS; i++) pthread_join(threads[i], NULL);
  return 0;
}
