// SPDX-License-Identifier: MIT
// A program that waits for a signal from another process has no deadlock: heddle cannot send it.
// expect: exit=3 verdict=incomplete bugs=0 warning~"waits for a signal"
#include <unistd.h>

int main(void) {
  pause();
  return 0;
}
