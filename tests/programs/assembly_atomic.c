// SPDX-License-Identifier: MIT
// A locked instruction in inline assembly is one visible operation: C(6, 3) runs. The operand's type is narrower than
// what the instruction touches, as in libraries of atomics.
// expect: exit=0 verdict=clean runs=20
#include <assert.h>
#include <pthread.h>

static long x;

static void increment(void *target) {
  __asm__ volatile("lock; incq %0" : "+m"(*(char *)target) : : "memory", "cc");
}

static void *worker(void *unused) {
  for (int i = 0; i < 3; i++) increment(&x);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(x == 6);
  return 0;
}
