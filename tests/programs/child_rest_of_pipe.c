// SPDX-License-Identifier: MIT
// A pipe whose writing end is closed still has bytes when a process starts that reads them: nobody can hand them on.
// expect: exit=3 verdict=incomplete
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2], status;
  char byte;
  assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1 && close(ends[1]) == 0);
  const pid_t child = fork();
  if (child == 0) _exit(read(ends[0], &byte, 1) == 1 && byte == 'x' ? 0 : 1);
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return 0;
}
