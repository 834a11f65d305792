// SPDX-License-Identifier: MIT
//
// Three philosophers at a round table, a fork between any two of them.
//
// What is wrong: everybody takes the fork on the left, then the one on the right. When all have the left one, nobody
// can eat, and nobody puts a fork back. philosophers_fixed.c lets the last one begin with the right fork.
//
// expect: exit=1 bug=deadlock runs<=200
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *argument) {
  const long seat = (long)argument;
  pthread_mutex_t *left = &forks[seat], *right = &forks[(seat + 1) % SEATS];
  pthread_mutex_lock(left);
  pthread_mutex_lock(right);
  // eats
  pthread_mutex_unlock(right);
  pthread_mutex_unlock(left);
  return NULL;
}

int main(void) {
  pthread_t philosophers[SEATS];
  for (long seat = 0; seat < SEATS; seat++) pthread_create(&philosophers[seat], NULL, dine, (void *)seat);
  for (long seat = 0; seat < SEATS; seat++) pthread_join(philosophers[seat], NULL);
  return 0;
}
