// SPDX-License-Identifier: MIT
// Of two children either may be the first that wait tells.
// expect: exit=0 verdict=clean runs=2 observations=2
// observe: first=0
// observe: first=1
#include "heddle.h"
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t children[2];
  int first_status, second_status;
  for (int i = 0; i < 2; i++)
    if ((children[i] = fork()) == 0) _exit(i);
  const pid_t first = wait(&first_status), second = wait(&second_status);
  heddle_observe("first", first == children[1]);
  assert(first != second && WEXITSTATUS(first_status) == (first == children[1]));
  assert(WEXITSTATUS(second_status) == (second == children[1]));
  return 0;
}
