// SPDX-License-Identifier: MIT
// A timer that is a descriptor expires when a thread that heddle makes for it takes a step. Setting it, expiring,
// reading it and loading the value come in this order; another thread stores the value in one of the five places
// between them.
// expect: exit=0 verdict=clean complete=true runs=5
// observe: value=0
// observe: value=1
#include "heddle.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static atomic_int value;

static void *change(void *unused) {
  atomic_store(&value, 1);
  return unused;
}

int main(void) {
  const struct itimerspec soon = {.it_value = {1, 0}};
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  pthread_t thread;
  uint64_t times;
  pthread_create(&thread, NULL, change, NULL);
  timerfd_settime(timer, 0, &soon, NULL);
  if (read(timer, &times, sizeof times) != sizeof times || times != 1) return 1;
  heddle_observe("value", atomic_load(&value));
  pthread_join(thread, NULL);
  return 0;
}
