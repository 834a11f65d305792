// SPDX-License-Identifier: MIT
// Two threads decide on the same input, the first also on what it read: (x > 3) decides in both, so three paths times
// the order of the write and the read where that shows.
// heddle: --strategy reachability --check-once --keep-going
// expect: complete=true bug=assertion line=BUG blocked_runs=0
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int flag;

static void *writer(void *unused) {
  if (x > 3) atomic_store(&flag, 1);
  return unused;
}

static void *reader(void *unused) {
  if (x > 3) assert(atomic_load(&flag) == 0); // BUG
  return unused;
}

int main(void) {
  pthread_t a, b;
  x = heddle_input_int("x");
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
