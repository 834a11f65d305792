// SPDX-License-Identifier: MIT
// A private wake does not reach who waits on the same word as a shared futex.
// expect: exit=1 bug=deadlock
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *wakes(void *unused) {
  atomic_store(&word, 1);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wakes, NULL);
  while (atomic_load(&word) == 0) syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
  pthread_join(thread, NULL);
  return 0;
}
