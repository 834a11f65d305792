// SPDX-License-Identifier: MIT
// A copy reads, then writes, and another thread may run between the two: what is copied is what was read.
// heddle: --strategy exhaustive --races off
// expect: exit=0 verdict=clean complete=true
// observe: seen=0 copied=1
// observe: seen=0 copied=2
// observe: seen=1 copied=1
// observe: seen=2 copied=2
#include "heddle.h"
#include <pthread.h>
#include <string.h>

static char from[4] = "1", to[4];

static void *copies(void *argument) {
  strcpy(to, from);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, copies, NULL);
  from[0] = '2';
  const int seen = to[0] == 0 ? 0 : to[0] - '0';
  pthread_join(t, NULL);
  heddle_observe("seen", seen);
  heddle_observe("copied", to[0] - '0');
  return 0;
}
