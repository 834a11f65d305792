// SPDX-License-Identifier: MIT
// A condition variable in a block that is freed while a thread waits for it.
// expect: exit=1 bug=lock-misuse line=BUG message~"with a condition variable while threads wait on it"
#include <pthread.h>
#include <stdlib.h>

struct queue {
  pthread_cond_t changed;
  int waits;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *waiter(void *argument) {
  struct queue *queue = argument;
  pthread_mutex_lock(&mutex);
  queue->waits = 1;
  pthread_cond_wait(&queue->changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t;
  struct queue *queue = calloc(1, sizeof *queue);
  pthread_cond_init(&queue->changed, NULL);
  pthread_create(&t, NULL, waiter, queue);
  pthread_mutex_lock(&mutex);
  const int waits = queue->waits;
  pthread_mutex_unlock(&mutex);
  if (waits) free(queue); /* BUG */
  return 0;
}
