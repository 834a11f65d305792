// SPDX-License-Identifier: MIT
// heddle: --strategy contextual
// expect: exit=0 complete=true runs=2
// observe: seen=0
// observe: seen=1
/* What main does after joining depends on one of the threads only: joining multiplies nothing. */
#include "heddle.h"

#include <pthread.h>

static int x, y;

static void *reader(void *argument) {
  (void)argument;
  return (void *)(long)x;
}

static void *writer(void *argument) {
  (void)argument;
  x = 1;
  y = 1;
  return NULL;
}

static void *other_reader(void *argument) {
  (void)argument;
  const int seen = y;
  return (void *)(long)seen;
}

int main(void) {
  pthread_t first, second, third;
  void *seen;
  pthread_create(&first, NULL, reader, NULL);
  pthread_create(&second, NULL, writer, NULL);
  pthread_create(&third, NULL, other_reader, NULL);
  pthread_join(first, &seen);
  pthread_join(second, NULL);
  pthread_join(third, NULL);
  heddle_observe("seen", (long)seen);
  return 0;
}
