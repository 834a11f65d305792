// SPDX-License-Identifier: MIT
// A function lends a local variable to a thread and returns: whether the thread writes it before or after that is a
// matter of order alone.
// heddle: --strategy con2colic --races off
// expect: exit=1 bug=memory line=BUG message~"used after the function returned"
#include <pthread.h>

static pthread_t thread;

static void *writes(void *lent) {
  *(int *)lent = 1; // BUG
  return NULL;
}

static __attribute__((noinline)) void lends(void) {
  int number = 0;
  pthread_create(&thread, NULL, writes, &number);
}

int main(void) {
  lends();
  pthread_join(thread, NULL);
  return 0;
}
