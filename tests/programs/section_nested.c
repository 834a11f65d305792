// SPDX-License-Identifier: MIT
// Atomic sections nest: the end of an inner one does not end the outer one.
// expect: exit=0 verdict=clean runs=2
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void add(int n) {
  __VERIFIER_atomic_begin();
  x += n;
  __VERIFIER_atomic_end();
}

static void *worker(void *unused) {
  add(1);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  __VERIFIER_atomic_begin();
  add(10);
  const int before = x;
  add(10);
  assert(x == before + 10);
  __VERIFIER_atomic_end();
  pthread_join(t, NULL);
  return 0;
}
