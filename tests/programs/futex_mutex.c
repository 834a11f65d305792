// SPDX-License-Identifier: MIT
// A mutex of a futex: 0 free, 1 taken, 2 taken and perhaps waited for. The increments are never lost, and who waits is
// woken.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int shared;

static void lock(void) {
  int expected = 0;
  if (atomic_compare_exchange_strong(&word, &expected, 1)) return;
  while (atomic_exchange(&word, 2) != 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
}

static void unlock(void) {
  if (atomic_exchange(&word, 0) == 2) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static void *body(void *unused) {
  lock();
  shared++;
  unlock();
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, body, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(shared == 3);
  return 0;
}
