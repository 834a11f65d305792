// SPDX-License-Identifier: MIT
// Two files, locked in two orders. Closing a file gives its lock back.
// expect: exit=1 bug=deadlock
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <unistd.h>

static const char *const names[] = {"flock_deadlock_a.tmp", "flock_deadlock_b.tmp"};

static void *locks(void *argument) {
  const long first = (long)argument;
  const int a = open(names[first], O_RDWR | O_CREAT, 0600), b = open(names[1 - first], O_RDWR | O_CREAT, 0600);
  flock(a, LOCK_EX);
  flock(b, LOCK_EX);
  close(a);
  close(b);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, locks, (void *)0);
  pthread_create(&b, NULL, locks, (void *)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
