// SPDX-License-Identifier: MIT
// The program reads from the pipe until its end, and has not closed its own descriptor to write to it.
// expect: exit=1 bug=deadlock line=BUG
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char letter;
  assert(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    write(ends[1], "ab", 2);
    _exit(0);
  }
  while (read(ends[0], &letter, 1) == 1) continue; /* BUG */
  return 0;
}
