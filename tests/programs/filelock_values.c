// SPDX-License-Identifier: MIT
// What locks of bytes of a file return, with several openings: tests/cli/kernel.sh compares it with the kernel.
// expect: exit=0 verdict=clean runs=1 warnings=0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define FAILS(call, number) (errno = 0, (call) == -1 && errno == (number))
#define NAME "filelock_values.tmp"

static int set(int descriptor, int command, short type, off_t start, off_t length) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  return fcntl(descriptor, command, &lock);
}

static struct flock ask(int descriptor, int command, short type, off_t start, off_t length) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  assert(fcntl(descriptor, command, &lock) == 0);
  return lock;
}

int main(void) {
  const int a = open(NAME, O_RDWR | O_CREAT, 0600), b = open(NAME, O_RDWR), reader = open(NAME, O_RDONLY);
  const int writer = open(NAME, O_WRONLY);
  assert(FAILS(set(999, F_OFD_SETLK, F_WRLCK, 0, 1), EBADF) && FAILS(set(a, F_OFD_SETLK, 77, 0, 1), EINVAL));
  assert(FAILS(set(reader, F_SETLK, F_WRLCK, 0, 1), EBADF) && FAILS(set(writer, F_OFD_SETLK, F_RDLCK, 0, 1), EBADF));
  assert(FAILS(set(a, F_SETLK, F_WRLCK, -1, 1), EINVAL) && FAILS(set(a, F_SETLK, F_WRLCK, 5, -6), EINVAL));
  // of openings
  assert(set(a, F_OFD_SETLKW, F_WRLCK, 10, 10) == 0 && FAILS(set(b, F_OFD_SETLK, F_RDLCK, 19, 5), EAGAIN));
  assert(set(b, F_OFD_SETLK, F_WRLCK, 20, 0) == 0 && FAILS(set(a, F_OFD_SETLK, F_WRLCK, 0, 0), EAGAIN));
  struct flock found = ask(b, F_OFD_GETLK, F_RDLCK, 0, 0);
  assert(found.l_type == F_WRLCK && found.l_start == 10 && found.l_len == 10 && found.l_pid == -1);
  assert(set(a, F_OFD_SETLK, F_UNLCK, 12, 4) == 0 && set(b, F_OFD_SETLK, F_RDLCK, 12, 4) == 0);
  found = ask(b, F_OFD_GETLK, F_RDLCK, 13, 7);
  assert(found.l_type == F_WRLCK && found.l_start == 16 && found.l_len == 4);
  assert(ask(b, F_OFD_GETLK, F_WRLCK, 12, 4).l_type == F_UNLCK);
  assert(set(a, F_OFD_SETLK, F_RDLCK, 12, 4) == 0 && FAILS(set(a, F_OFD_SETLK, F_WRLCK, 12, 1), EAGAIN));
  // of the process, which sees those of openings
  assert(FAILS(set(a, F_SETLK, F_WRLCK, 10, 1), EAGAIN) && set(a, F_SETLK, F_WRLCK, 0, 5) == 0);
  assert(set(b, F_SETLKW, F_WRLCK, 0, 5) == 0 && ask(b, F_GETLK, F_WRLCK, 0, 5).l_type == F_UNLCK);
  found = ask(b, F_OFD_GETLK, F_WRLCK, 0, 1);
  assert(found.l_type == F_WRLCK && found.l_start == 0 && found.l_len == 5 && found.l_pid == getpid());
  close(reader); // any of them gives back what the process has
  assert(ask(b, F_OFD_GETLK, F_WRLCK, 0, 1).l_type == F_UNLCK);
  // copies, closing
  const int copy = dup(a);
  close(a);
  assert(FAILS(set(b, F_OFD_SETLK, F_WRLCK, 16, 1), EAGAIN));
  close(copy);
  assert(set(b, F_OFD_SETLK, F_WRLCK, 0, 0) == 0 && set(b, F_OFD_SETLK, F_UNLCK, 0, 0) == 0);
  // lockf
  assert(lockf(b, F_LOCK, 5) == 0 && lockf(b, F_TLOCK, 5) == 0 && lockf(b, F_TEST, 5) == 0 &&
         lockf64(b, F_ULOCK, 5) == 0);
  assert(set(writer, F_OFD_SETLK, F_WRLCK, 0, 2) == 0 && FAILS(lockf(b, F_TLOCK, 5), EAGAIN));
  assert(FAILS(lockf(b, F_TEST, 5), EACCES) && FAILS(lockf(b, 77, 5), EINVAL));
  unlink(NAME);
  return 0;
}
