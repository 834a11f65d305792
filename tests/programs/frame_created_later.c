// SPDX-License-Identifier: MIT
// The function had returned before the thread was created: there is one order only, and it is wrong.
// expect: exit=1 bug=memory line=BUG message~"read of a local variable, used after the function returned"
#include <pthread.h>

static const int *address;
static int seen;

static __attribute__((noinline)) void lends(void) {
  int number = 1;
  address = &number;
}

static void *reader(void *unused) {
  seen = *address; /* BUG */
  return NULL;
}

int main(void) {
  pthread_t thread;
  lends();
  pthread_create(&thread, NULL, reader, NULL);
  pthread_join(thread, NULL);
  return 0;
}
