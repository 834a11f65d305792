// SPDX-License-Identifier: MIT
//
// Two workers count their finished jobs in one counter.
//
// What is wrong: `done++` reads, adds and writes; a worker can overwrite what the other wrote between its read and its
// write. counter_fixed.c makes the counter atomic.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <assert.h>
#include <pthread.h>

#define JOBS 2

static int done;

static void *work(void *unused) {
  for (int job = 0; job < JOBS; job++) done++;
  return NULL;
}

int main(void) {
  pthread_t workers[2];
  for (int i = 0; i < 2; i++) pthread_create(&workers[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
  assert(done == 2 * JOBS); // BUG
  return 0;
}
