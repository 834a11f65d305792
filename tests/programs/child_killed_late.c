// SPDX-License-Identifier: MIT
// Whether a signal comes before the end of a child that ends by itself depends on its speed: not followed.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"that may have ended before"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  kill(child, SIGKILL); // HERE
  return waitpid(child, NULL, 0) != child;
}
