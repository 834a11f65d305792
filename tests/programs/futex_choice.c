// SPDX-License-Identifier: MIT
// Three threads may sleep on a futex when one of them is woken: whichever it is, and then the others.
// expect: exit=0 verdict=clean complete=true
// observe: first=0
// observe: first=1
// observe: first=2
#include "heddle.h"
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned word;
static atomic_int first;

static long futex(int operation, unsigned value) {
  return syscall(SYS_futex, &word, operation, value, 0, 0, 0);
}

static void *sleeps(void *argument) {
  int nobody = -1;
  assert(futex(FUTEX_WAIT_PRIVATE, 0) == 0);
  atomic_compare_exchange_strong(&first, &nobody, (int)(long)argument);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  atomic_init(&first, -1);
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, sleeps, (void *)i);
  heddle_assume(futex(FUTEX_WAKE_PRIVATE, 1) == 1);
  heddle_assume(futex(FUTEX_WAKE_PRIVATE, INT_MAX) == 2);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  heddle_observe("first", first);
  return 0;
}
