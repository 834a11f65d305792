// SPDX-License-Identifier: MIT
// Who waits for a child that waits for a signal is not said to be in a deadlock: anybody could send it.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"which waits as well"
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  if (fork() == 0)
    for (;;) pause();
  wait(NULL); // HERE
  return 0;
}
