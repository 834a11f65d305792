// SPDX-License-Identifier: MIT
// A decision after a step that commutes with a step of another thread: its other side is explored where that one moves
// first, and reaches the other order through the race of what follows it. `look` reads `left`, then writes `right`
// if it read what the input says; `set` writes `right`. 2 traces on that side, 1 on the other.
// heddle: --strategy optimal --races off
// expect: runs=3 blocked_runs=0 divergences=0 verdict=clean complete=true
// observe: right=1
// observe: right=2
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left, right;
static int x;

static void *look(void *unused) {
  if (atomic_load(&left) == x) atomic_store(&right, 1);
  return NULL;
}

static void *set(void *unused) {
  atomic_store(&right, 2);
  return NULL;
}

static void *read_left(void *unused) {
  atomic_load(&left);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  x = heddle_input_int("x");
  pthread_create(&threads[0], NULL, look, NULL);
  pthread_create(&threads[1], NULL, set, NULL);
  pthread_create(&threads[2], NULL, read_left, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  heddle_observe("right", right);
  return 0;
}
