// SPDX-License-Identifier: MIT
//
// barrier.c repaired: every worker reaches the barrier, with or without a row.
//
// expect: exit=0 verdict=clean warnings=0 runs=24
#include <pthread.h>
#include <stdatomic.h>

#define WORKERS 2
#define ROWS 2

static pthread_barrier_t pass_done;
static atomic_int next_row;
static int smoothed[ROWS];

static void *worker(void *unused) {
  for (int row = next_row++; row < ROWS; row = next_row++) smoothed[row] = 1;
  pthread_barrier_wait(&pass_done);
  return NULL;
}

int main(void) {
  pthread_t workers[WORKERS];
  pthread_barrier_init(&pass_done, NULL, WORKERS);
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], NULL, worker, NULL);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], NULL);
  pthread_barrier_destroy(&pass_done);
  return 0;
}
