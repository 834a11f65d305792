/* SPDX-License-Identifier: MIT
 *
 * Queues of threads that wait, and what happens on misuse (internal.h).
 */
#include "sync/internal.h"

#include <stdio.h>
#include <stdlib.h>

void queue_wait(struct queue *queue, pthread_mutex_t *mutex) {
  struct waiter self = {.changed = PTHREAD_COND_INITIALIZER};
  if (queue->last)
    queue->last->next = &self;
  else
    queue->first = &self;
  queue->last = &self;
  queue->length++;
  while (!self.goes_on) pthread_cond_wait(&self.changed, mutex);
  pthread_cond_destroy(&self.changed);
}

/* The waiter's condition variable is on its stack: it stays there until the mutex is given up. */
bool queue_let_go(struct queue *queue) {
  struct waiter *first = queue->first;
  if (!first) return false;
  queue->first = first->next;
  if (!queue->first) queue->last = NULL;
  queue->length--;
  first->goes_on = true;
  pthread_cond_signal(&first->changed);
  return true;
}

void misuse(const char *what) {
  fprintf(stderr, "heddle: %s\n", what);
  abort();
}
