// SPDX-License-Identifier: MIT
// A local variable of main that threads get by address is shared: C(4, 2) runs, and a lost update.
// expect: exit=0 verdict=clean runs=6
// observe: sum=1
// observe: sum=2
#include "heddle.h"
#include <pthread.h>

static void *worker(void *argument) {
  int *counter = argument;
  *counter = *counter + 1;
  return NULL;
}

int main(void) {
  int counter = 0;
  pthread_t s, t;
  pthread_create(&s, NULL, worker, &counter);
  pthread_create(&t, NULL, worker, &counter);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  heddle_observe("sum", counter);
  return 0;
}
