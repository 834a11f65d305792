// SPDX-License-Identifier: MIT
// How a child that the program forks ends is for the program to judge.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) return 3;
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3);
  return 0;
}
