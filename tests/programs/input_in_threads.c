// SPDX-License-Identifier: MIT
// Inputs read in several threads keep their names whatever the schedule, and are solved together.
// expect: exit=1 bug=assertion line=BUG
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

static int results[2];

static void *worker(void *argument) {
  int *result = argument;
  *result = heddle_input_int("part") * 2 + 1;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &results[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(results[0] - results[1] != 31338); /* BUG */
  return 0;
}
