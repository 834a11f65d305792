// SPDX-License-Identifier: MIT
// Peterson's algorithm without the turn: both can wait forever.
// expect: exit=1 bug=livelock
#include <pthread.h>

volatile int wants[2];

static void *worker(void *argument) {
  const int me = (int)(long)argument, other = 1 - me;
  wants[me] = 1;
  while (wants[other]) {
  }
  wants[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
