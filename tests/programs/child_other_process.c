// SPDX-License-Identifier: MIT
// A signal to a process that is not a child is not sent.
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"a process that is not a child"
#include <signal.h>
#include <unistd.h>

int main(void) {
  return kill(getppid(), SIGTERM); // HERE
}
