// SPDX-License-Identifier: MIT
// A compare-and-exchange that writes or does not, as an input says, and a thread that reads: where it writes the read
// comes before or after it, otherwise they commute. While it sleeps it counts as a write, whatever it was in the first
// run; so where it fails both orders may be run: three traces, and at most four runs.
// heddle: --strategy dpor-2 --order first --races off
// expect: runs=4 blocked_runs=1 verdict=clean complete=true
// observe: done=0 seen=3
// observe: done=1 seen=3
// observe: done=1 seen=7
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int place = 3;
static int done, seen;

static void *exchange(void *unused) {
  int expected = heddle_input_int("expected");
  if (atomic_compare_exchange_strong(&place, &expected, 7)) done = 1;
  return NULL;
}

static void *look(void *unused) {
  seen = atomic_load(&place);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, look, NULL);
  pthread_create(&threads[1], NULL, exchange, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  heddle_observe("done", done);
  heddle_observe("seen", seen);
  return 0;
}
