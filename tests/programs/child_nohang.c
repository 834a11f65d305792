// SPDX-License-Identifier: MIT
// waitpid with WNOHANG comes before the child's end, or after it.
// expect: exit=0 verdict=clean runs=2 observations=2
// observe: alive=0
// observe: alive=1
#include "heddle.h"
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int status;
  const pid_t child = fork();
  if (child == 0) _exit(3);
  pid_t result = waitpid(child, &status, WNOHANG);
  heddle_observe("alive", result == 0);
  if (result == 0) result = waitpid(child, &status, 0);
  assert(result == child && WEXITSTATUS(status) == 3);
  return 0;
}
