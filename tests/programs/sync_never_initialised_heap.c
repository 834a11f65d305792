// SPDX-License-Identifier: MIT
// A mutex in memory from malloc that nobody has written to. sync_destroy_joined.c has some that are in order.
// expect: exit=1 bug=lock-misuse line=BUG message~"use of a mutex that was never initialised"
#include <pthread.h>
#include <stdlib.h>

struct queue {
  int length;
  pthread_mutex_t mutex;
};

int main(void) {
  struct queue *queue = malloc(sizeof *queue);
  queue->length = 0;
  pthread_mutex_lock(&queue->mutex); // BUG
  pthread_mutex_unlock(&queue->mutex);
  free(queue);
  return 0;
}
