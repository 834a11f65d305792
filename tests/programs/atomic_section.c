// SPDX-License-Identifier: MIT
// __VERIFIER_atomic_begin/end: nothing comes between.
// expect: exit=0 verdict=clean runs=2
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x;

static void *worker(void *unused) {
  __VERIFIER_atomic_begin();
  x++;
  x++;
  assert(x == 2 || x == 4);
  __VERIFIER_atomic_end();
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(x == 4);
  return 0;
}
