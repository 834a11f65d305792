// SPDX-License-Identifier: MIT
// A spin lock of inline assembly: the loop around xchg is parked while the lock is taken, so the exploration ends.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <pthread.h>

static unsigned lock;
static int x;

static unsigned exchange(unsigned *target, unsigned value) {
  __asm__ volatile("xchgl %0, %1" : "+m"(*target), "+q"(value) : : "memory");
  return value;
}

static void *worker(void *unused) {
  while (exchange(&lock, 1)) __asm__ volatile("pause" ::: "memory");
  x++;
  __asm__ volatile("movl %1, %0" : "=m"(lock) : "ir"(0) : "memory");
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(x == 2);
  return 0;
}
