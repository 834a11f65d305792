// SPDX-License-Identifier: MIT
// Waiting for a child to stop is not followed.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"to stop or to continue"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const pid_t child = fork();
  if (child == 0) raise(SIGSTOP);
  waitpid(child, NULL, WUNTRACED); // HERE
  return 0;
}
