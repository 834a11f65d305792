// SPDX-License-Identifier: MIT
// A thread calls exit; it is held back until main cannot move (main waits forever).
// expect: exit=0 verdict=clean
// observe: x=1 y=1
#include "heddle.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

int x, y;
sem_t never;

static void *worker(void *unused) {
  x = 1;
  heddle_observe("x", x);
  exit(0);
}

int main(void) {
  sem_init(&never, 0, 0);
  pthread_t a;
  pthread_create(&a, NULL, worker, NULL);
  y = 1;
  heddle_observe("y", y);
  sem_wait(&never);
  return 0;
}
