// SPDX-License-Identifier: MIT
// heddle: --strategy random --max-runs 2
// A thread that computes for long is set aside, to see whether it waits for another (src/runtime/trial.c). What that
// run comes to is not a result, also when the run had found something to be shared before: this program has no
// deadlock.
// expect: exit=3 bugs=0 runs=2
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x;
static volatile unsigned long count;

static void *writer(void *unused) {
  x = 0;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  __VERIFIER_atomic_begin();
  x = 1;
  __VERIFIER_atomic_end();
  for (long i = 0; i < 4000000; i++) count++;
  pthread_join(t, NULL);
  return 0;
}
