// SPDX-License-Identifier: MIT
//
// The assumption holds when the other thread comes first. As long as nobody knows that they share `value`, main goes
// first, and its assumption ends the run before the other one has reached an operation.
//
// expect: exit=1 bug=assertion line=BUG
#include "heddle.h"

#include <assert.h>
#include <pthread.h>

static int value;

static void *writer(void *unused) {
  value = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  heddle_assume(value == 1);
  assert(value != 1); // BUG
  pthread_join(thread, NULL);
  return 0;
}
