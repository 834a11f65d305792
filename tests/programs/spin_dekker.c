// SPDX-License-Identifier: MIT
// Dekker's algorithm: nested spin loops, right under sequential consistency.
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <pthread.h>

volatile int wants[2], turn, inside;

static void *worker(void *argument) {
  const int me = (int)(long)argument, other = 1 - me;
  wants[me] = 1;
  while (wants[other]) {
    if (turn == me) continue;
    wants[me] = 0;
    while (turn != me) {
    }
    wants[me] = 1;
  }
  inside++;
  assert(inside == 1);
  inside--;
  turn = other;
  wants[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
