// SPDX-License-Identifier: MIT
//
// A queue of two places: those who push wait while it is full, those who pop while it is empty.
#include <pthread.h>

struct queue {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int values[2];
  int first, count;
};

#define QUEUE_INITIALIZER                                                                                              \
  { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0 }

void queue_push(struct queue *queue, int value);
int queue_pop(struct queue *queue);
