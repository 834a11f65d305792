// SPDX-License-Identifier: MIT
// A child that never ends: the run is cut short, and the place says where it was started.
// heddle: --strategy exhaustive --hang-time 1
// expect: exit=3 verdict=incomplete bugs=0 not_followed_lines=HERE warning~"neither ends nor waits"
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const pid_t child = fork(); // HERE
  for (volatile int forever = child == 0; forever;) continue;
  wait(NULL);
  return 0;
}
