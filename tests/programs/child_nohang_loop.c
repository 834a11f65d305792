// SPDX-License-Identifier: MIT
// A loop that asks until the child has ended: it is seen to be one, and ends. The child ends before its first round,
// after it, or after the second, from when on nothing new happens in it.
// expect: exit=0 verdict=clean runs=3
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int status;
  pid_t result;
  const pid_t child = fork();
  if (child == 0) _exit(3);
  while ((result = waitpid(child, &status, WNOHANG)) == 0) usleep(1000);
  assert(result == child && WEXITSTATUS(status) == 3);
  return 0;
}
