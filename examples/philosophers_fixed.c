// SPDX-License-Identifier: MIT
//
// philosophers.c repaired: the last philosopher begins with the right fork, so that no circle closes.
//
// expect: exit=0 verdict=clean warnings=0 runs=142
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *argument) {
  const long seat = (long)argument;
  const long next = (seat + 1) % SEATS;
  pthread_mutex_t *first = &forks[seat < next ? seat : next], *second = &forks[seat < next ? next : seat];
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  // eats
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return NULL;
}

int main(void) {
  pthread_t philosophers[SEATS];
  for (long seat = 0; seat < SEATS; seat++) pthread_create(&philosophers[seat], NULL, dine, (void *)seat);
  for (long seat = 0; seat < SEATS; seat++) pthread_join(philosophers[seat], NULL);
  return 0;
}
