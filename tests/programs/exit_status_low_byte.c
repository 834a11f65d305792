// SPDX-License-Identifier: MIT
// Whoever waits for a process sees the low eight bits of its status: 256 is 0.
// expect: exit=0 verdict=clean runs=1
#include <stdlib.h>

int main(void) {
  exit(256);
}
