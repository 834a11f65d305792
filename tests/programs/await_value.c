// A loop waits for the last of four values that another thread writes. The three others, and what was there at first,
// lead back to it, so that it waits as for a lock: one run, for the one value that ends it. (With the reads that do not
// end the loop there are 81 classes: of each value it reads none, one or two before it is parked.) Four continuations
// are left out, one for each of these values.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true runs=1 blocked_runs=0 unfair_continuations=4
// observe: seen=4
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *count(void *unused) {
  for (int i = 1; i <= 4; i++) atomic_store(&x, i);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  while (atomic_load(&x) != 4) {
  }
  heddle_observe("seen", x);
  return pthread_join(thread, NULL);
}
