// SPDX-License-Identifier: MIT
// A structure that is passed by value belongs to the function that gets it.
// expect: exit=1 bug=memory line=BUG message~"used after the function returned"
#include <pthread.h>

struct numbers {
  long values[4];
};

static pthread_t thread;
static long seen;

static void *reader(void *argument) {
  seen = ((const struct numbers *)argument)->values[2]; /* BUG */
  return NULL;
}

static __attribute__((noinline)) void lends(struct numbers numbers) {
  pthread_create(&thread, NULL, reader, &numbers);
}

int main(void) {
  lends((struct numbers){{1, 2, 3, 4}});
  pthread_join(thread, NULL);
  return 0;
}
