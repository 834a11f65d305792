// SPDX-License-Identifier: MIT
// A wait on a futex and a wake of it, which comes after a write of the word. The wait comes before the write and
// sleeps, or between write and wake, or after both, and finds another value. If it sleeps, the waker wakes it, and it
// continues.
// expect: exit=0 verdict=clean complete=true runs=3
// observe: wait=-1 woken=0
// observe: wait=0 woken=1
#include "heddle.h"
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *waits(void *unused) {
  heddle_observe("wait", syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0));
  return unused;
}

static void *wakes(void *unused) {
  atomic_store(&word, 1);
  heddle_observe("woken", syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0));
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waits, NULL);
  pthread_create(&b, NULL, wakes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
