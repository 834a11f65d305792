// SPDX-License-Identifier: MIT
// What flock returns, with several openings of a file: tests/cli/kernel.sh compares it with the kernel.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#define FAILS(call, number) (errno = 0, (call) == -1 && errno == (number))
#define NAME "flock_values.tmp"

int main(void) {
  const int a = open(NAME, O_RDWR | O_CREAT, 0600), b = open(NAME, O_RDWR), other = open("/dev/null", O_RDWR);
  assert(a >= 0 && b >= 0 && FAILS(flock(999, LOCK_EX), EBADF) && FAILS(flock(a, 77), EINVAL));
  assert(flock(a, LOCK_SH) == 0 && flock(b, LOCK_SH | LOCK_NB) == 0 && flock(other, LOCK_EX) == 0);
  assert(FAILS(flock(a, LOCK_EX | LOCK_NB), EWOULDBLOCK)); // and has lost the one it had
  assert(flock(b, LOCK_EX | LOCK_NB) == 0 && flock(b, LOCK_EX) == 0);
  assert(FAILS(flock(a, LOCK_SH | LOCK_NB), EWOULDBLOCK));
  const int copy = dup(b);
  close(b);
  assert(FAILS(flock(a, LOCK_SH | LOCK_NB), EWOULDBLOCK) && flock(copy, LOCK_UN) == 0 && flock(copy, LOCK_UN) == 0);
  assert(flock(a, LOCK_EX | LOCK_NB) == 0);
  const int copied = fcntl(a, F_DUPFD, 100);
  assert(copied >= 100 && flock(copied, LOCK_EX | LOCK_NB) == 0);
  close(a);
  assert(FAILS(flock(copy, LOCK_SH | LOCK_NB), EWOULDBLOCK));
  close(copied);
  assert(flock(copy, LOCK_SH | LOCK_NB) == 0);
  unlink(NAME);
  return 0;
}
