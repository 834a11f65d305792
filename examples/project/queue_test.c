// SPDX-License-Identifier: MIT
//
// Two threads take what main puts in: each value arrives once.
#include "queue.h"
#include <assert.h>
#include <stdio.h>

static struct queue queue = QUEUE_INITIALIZER;

static void *take(void *result) {
  *(int *)result = queue_pop(&queue);
  return NULL;
}

int main(void) {
  pthread_t takers[2];
  int taken[2];
  for (int i = 0; i < 2; i++) pthread_create(&takers[i], NULL, take, &taken[i]);
  queue_push(&queue, 1);
  queue_push(&queue, 2);
  for (int i = 0; i < 2; i++) pthread_join(takers[i], NULL);
  printf("%d and %d\n", taken[0], taken[1]);
  assert(taken[0] + taken[1] == 3);
  return 0;
}
