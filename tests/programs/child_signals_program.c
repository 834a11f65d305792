// SPDX-License-Identifier: MIT
// A signal from a child would come at any moment: not followed, and no crash of the program.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"a signal from another process"
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const pid_t child = fork(); // HERE
  if (child == 0) _exit(kill(getppid(), SIGUSR1));
  assert(wait(NULL) == -1);
  return 0;
}
