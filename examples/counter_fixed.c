// SPDX-License-Identifier: MIT
//
// counter.c repaired: an atomic counter.
//
// expect: exit=0 verdict=clean warnings=0 runs=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef JOBS
#define JOBS 2
#endif

static atomic_int done;

static void *work(void *unused) {
  for (int job = 0; job < JOBS; job++) done++;
  return NULL;
}

int main(void) {
  pthread_t workers[2];
  for (int i = 0; i < 2; i++) pthread_create(&workers[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
  assert(done == 2 * JOBS);
  return 0;
}
