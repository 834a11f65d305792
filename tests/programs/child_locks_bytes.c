// SPDX-License-Identifier: MIT
// Locks of bytes are heddle's own, as those of whole files are: a forked child that would lock some stops the run.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"a forked process locks a file"
#include <assert.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const int file = open("/bin/sh", O_RDONLY);
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
  assert(file >= 0 && fcntl(file, F_SETLK, &lock) == 0);
  if (fork() == 0) _exit(fcntl(file, F_SETLK, &lock)); // HERE
  assert(wait(NULL) < 0);
  return 0;
}
