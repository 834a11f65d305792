// SPDX-License-Identifier: MIT
// A mutex on the stack that nobody has written to, where the call before had one that was in order.
// expect: exit=1 bug=lock-misuse line=BUG message~"use of a mutex that was never initialised"
#include <pthread.h>

struct queue {
  int length;
  pthread_mutex_t mutex;
};

static __attribute__((noinline)) int use(int initialise) {
  struct queue queue;
  queue.length = 1;
  if (initialise) pthread_mutex_init(&queue.mutex, NULL);
  pthread_mutex_lock(&queue.mutex); // BUG
  const int length = queue.length;
  pthread_mutex_unlock(&queue.mutex);
  return length;
}

int main(void) {
  return use(1) - use(0);
}
