// SPDX-License-Identifier: MIT
// A lock that is taken by adding 1 and, if somebody has it, given back by subtracting 1: main never gives it back.
// expect: exit=1 bug=livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;

static void acquire(void) {
  while (atomic_fetch_add(&lock, 1) != 0) atomic_fetch_add(&lock, -1);
}

static void *thread(void *unused) {
  acquire();
  atomic_fetch_add(&lock, -1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  acquire();
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, thread, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
