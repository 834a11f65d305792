// SPDX-License-Identifier: MIT
// Schedules by priority with solved inputs: a lost update that shows only for one input.
// heddle: --strategy pct --depth 3 --max-runs 20000
// expect: exit=1 bug=assertion line=BUG
#include "heddle.h"
#include <assert.h>
#include <pthread.h>

static int x;

static void *worker(void *argument) {
  const int step = *(int *)argument;
  for (int i = 0; i < 3; i++) x += step;
  return NULL;
}

int main(void) {
  int step = heddle_input_int("step");
  if (step < 1000000 || step > 1000010) return 0;
  pthread_t s, t;
  pthread_create(&s, NULL, worker, &step);
  pthread_create(&t, NULL, worker, &step);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  if (step == 1000007) assert(x == 6 * step); /* BUG */
  return 0;
}
