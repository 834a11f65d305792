// SPDX-License-Identifier: MIT
// A memory operand with a dummy type of 80 bytes, as in the headers of Linux: the instruction accesses four, says its
// suffix, or the register beside it. It is one atomic step, and the neighbour is not touched.
// expect: exit=0 verdict=clean runs=6
#include <pthread.h>
#include <stdlib.h>

struct dummy {
  unsigned long values[10];
};

#define ANY(pointer) (*(struct dummy *)(pointer))

static void or_with_suffix(int *to, int bits) {
  __asm__ __volatile__("lock; orl %1, %0" : "=m"(ANY(to)) : "ir"(bits) : "memory");
}

static void or_with_register(int *to, int bits) {
  __asm__ __volatile__("lock; or %1, %0" : "+m"(ANY(to)) : "r"(bits));
}

static int *x;

static void *worker(void *unused) {
  or_with_suffix(x, 1);
  or_with_register(x, 4);
  return NULL;
}

int main(void) {
  pthread_t t;
  x = calloc(1, sizeof *x);
  pthread_create(&t, NULL, worker, NULL);
  or_with_suffix(x, 2);
  or_with_register(x, 8);
  pthread_join(t, NULL);
  return *x == 15 ? 0 : 1;
}
