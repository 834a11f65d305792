// SPDX-License-Identifier: MIT
// A function that is one atomic section, called inside another: the outer one continues after it.
// expect: exit=0 verdict=clean runs=2
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

void __VERIFIER_atomic_add(int n) {
  x += n;
}

static void *worker(void *unused) {
  __VERIFIER_atomic_add(1);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  __VERIFIER_atomic_begin();
  __VERIFIER_atomic_add(10);
  const int before = x;
  __VERIFIER_atomic_add(10);
  assert(x == before + 10);
  __VERIFIER_atomic_end();
  pthread_join(t, NULL);
  return 0;
}
