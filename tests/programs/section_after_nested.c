// SPDX-License-Identifier: MIT
// After the end of the outermost section others may come between, and an end too many ends nothing later.
// expect: exit=1 bug=assertion line=BUG
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
  __VERIFIER_atomic_end();
  pthread_create(&t, NULL, worker, NULL);
  __VERIFIER_atomic_begin();
  add(10);
  __VERIFIER_atomic_end();
  const int before = x;
  add(10);
  assert(x == before + 10); /* BUG */
  pthread_join(t, NULL);
  return 0;
}
