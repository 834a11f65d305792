// SPDX-License-Identifier: MIT
// With EFD_SEMAPHORE a read takes 1: a lock of two threads. Only who comes first is a choice.
// expect: exit=0 runs=2 verdict=clean complete=true warnings=0
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>

static int lock, x;

static void *worker(void *unused) {
  eventfd_t value;
  eventfd_read(lock, &value);
  assert(value == 1);
  x++;
  eventfd_write(lock, 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  lock = eventfd(1, EFD_SEMAPHORE);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(x == 2);
  return 0;
}
