// SPDX-License-Identifier: MIT
#include "queue.h"

void queue_push(struct queue *queue, int value) {
  pthread_mutex_lock(&queue->mutex);
  if (queue->count == 2) pthread_cond_wait(&queue->changed, &queue->mutex);
  queue->values[(queue->first + queue->count) % 2] = value;
  queue->count++;
  pthread_cond_broadcast(&queue->changed);
  pthread_mutex_unlock(&queue->mutex);
}

int queue_pop(struct queue *queue) {
  pthread_mutex_lock(&queue->mutex);
  if (queue->count == 0) pthread_cond_wait(&queue->changed, &queue->mutex);
  const int value = queue->values[queue->first];
  queue->first = (queue->first + 1) % 2;
  queue->count--;
  pthread_cond_broadcast(&queue->changed);
  pthread_mutex_unlock(&queue->mutex);
  return value;
}
