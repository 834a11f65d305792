// SPDX-License-Identifier: MIT
// A divisor that is 0 for one value of what the other thread wrote, and for no branch of its own.
// heddle: --strategy con2colic
// expect: exit=1 bug=crash line=BUG verdict=bug
#include "heddle.h"

#include <pthread.h>

static int parts = 2, share;

static void *set(void *unused) {
  parts = heddle_input_int("parts");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, set, NULL);
  share = 100 / parts; // BUG
  pthread_join(thread, NULL);
  return 0;
}
