// SPDX-License-Identifier: MIT
// Locks of files are heddle's own: a forked child that would lock one stops the run.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"a forked process locks a file"
#include <assert.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const int file = open("/bin/sh", O_RDONLY);
  assert(file >= 0 && flock(file, LOCK_EX) == 0);
  if (fork() == 0) _exit(flock(file, LOCK_EX)); // HERE
  assert(wait(NULL) < 0);
  return 0;
}
