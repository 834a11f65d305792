// SPDX-License-Identifier: MIT
// Two threads that open, lock, unlock and close one file: whoever comes first makes it, and the other waits for the
// lock. Closing what has no lock is no operation, so these are the interleavings of two openings and two critical
// sections.
// expect: exit=0 verdict=clean complete=true runs=model
// model: write name; lock m; unlock m | write name; lock m; unlock m
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <unistd.h>

static void *locks(void *unused) {
  const int file = open("flock_count.tmp", O_RDWR | O_CREAT, 0600);
  assert(flock(file, LOCK_EX) == 0);
  flock(file, LOCK_UN);
  close(file);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, locks, NULL);
  pthread_create(&b, NULL, locks, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
