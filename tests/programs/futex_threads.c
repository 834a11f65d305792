// SPDX-License-Identifier: MIT
// What futex(2) returns where another thread sleeps: tests/cli/kernel.sh compares it with the kernel. The main thread
// waits until the other one sleeps, by what a requeue onto the same word says.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t word, other;

static long futex(uint32_t *address, int operation, uint32_t value, long time, uint32_t *second, uint32_t third) {
  return syscall(SYS_futex, address, operation, value, time, second, third);
}

static void *sleeps(void *unused) {
  assert(futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 0, 0, 0, 6) == 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, sleeps, NULL);
  while (futex(&word, FUTEX_CMP_REQUEUE_PRIVATE, 0, INT_MAX, &other, 0) == 0) sched_yield();
  assert(futex(&word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0) == 0);
  assert(futex(&other, FUTEX_WAKE, 1, 0, 0, 0) == 0);
  assert(futex(&other, FUTEX_WAKE_BITSET_PRIVATE, 1, 0, 0, 9) == 0);
  assert(futex(&other, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, 0, 0, 2) == 1);
  assert(futex(&other, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0) == 0);
  pthread_join(thread, NULL);
  return 0;
}
