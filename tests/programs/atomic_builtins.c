// SPDX-License-Identifier: MIT
// The __atomic builtins, sized and generic.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

struct wide {
  long a, b;
} __attribute__((aligned(16)));

int x;
struct wide wide;

static void *worker(void *unused) {
  int old = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(&x, &old, old + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  struct wide seen, next;
  __atomic_load(&wide, &seen, __ATOMIC_SEQ_CST);
  do {
    next.a = seen.a + 1;
    next.b = seen.b - 1;
  } while (!__atomic_compare_exchange(&wide, &seen, &next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(x == 2 && wide.a == 2 && wide.b == -2);
  return 0;
}
