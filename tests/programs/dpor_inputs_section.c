// SPDX-License-Identifier: MIT
// An atomic section that writes x or y, as an input says; two threads that read them. A section is in a race with
// everything: each read comes before or after it, on both sides of the decision: 8 runs.
// heddle: --strategy dpor-cr-sleep --races off
// expect: runs=8 blocked_runs=0 verdict=clean complete=true
// observe: x=0 y=0
// observe: x=0 y=1
// observe: x=1 y=0
#include <heddle.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x, y, seen_x, seen_y;

static void *writer(void *unused) {
  const int which = heddle_input_int("which");
  __VERIFIER_atomic_begin();
  if (which > 5)
    x = 1;
  else
    y = 1;
  __VERIFIER_atomic_end();
  return NULL;
}

static void *read_x(void *unused) {
  seen_x = x;
  return NULL;
}

static void *read_y(void *unused) {
  seen_y = y;
  return NULL;
}

int main(void) {
  void *(*const bodies[3])(void *) = {writer, read_x, read_y};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  heddle_observe("x", seen_x);
  heddle_observe("y", seen_y);
  return 0;
}
