// SPDX-License-Identifier: MIT
// The end of main's local variable is an operation: the thread reads the variable before it, or what is left of it
// after.
// heddle: --keep-going
// expect: exit=1 runs=2 bugs=2 output~"assertion failed: seen != 42"
// expect: bug=memory line=BUG message~"read of a local variable, used after the function returned"
#include <assert.h>
#include <pthread.h>

static void *reader(void *argument) {
  const int seen = *(const int *)argument; // BUG
  assert(seen != 42);
  return NULL;
}

int main(void) {
  int answer = 42;
  pthread_t thread;
  pthread_create(&thread, NULL, reader, &answer);
  return 0;
}
