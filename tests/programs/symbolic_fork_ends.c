// SPDX-License-Identifier: MIT
// Runs in processes of their own, which are killed in a way nothing can catch for one value: its terms are still known,
// and the other values are explored.
// heddle: --isolation fork --keep-going
// expect: exit=1 verdict=bug bugs=1
// observe: way=1
// observe: way=2
#include "heddle.h"
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  const int x = heddle_input_int("x");
  if (x == 77) syscall(SYS_kill, getpid(), SIGKILL);
  if (x == 78) {
    heddle_observe("way", 1);
    return 0;
  }
  if (x == 79) heddle_observe("way", 2);
  return 0;
}
