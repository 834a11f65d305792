// SPDX-License-Identifier: MIT
// An eventfd is a counter: whoever reads it takes all of it, and waits while it is zero. The read comes after at least
// one of the two writes: four orders.
// expect: exit=0 runs=4 verdict=clean complete=true
// observe: value=1
// observe: value=2
// observe: value=3
#include "heddle.h"
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter;

static void *one(void *unused) {
  eventfd_write(counter, 1);
  return unused;
}

static void *two(void *unused) {
  const uint64_t value = 2;
  if (write(counter, &value, sizeof value) != sizeof value) _exit(1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  uint64_t value;
  counter = eventfd(0, 0);
  pthread_create(&threads[0], NULL, one, NULL);
  pthread_create(&threads[1], NULL, two, NULL);
  if (read(counter, &value, sizeof value) != sizeof value) return 1;
  heddle_observe("value", (long long)value);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
