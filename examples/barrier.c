// SPDX-License-Identifier: MIT
//
// Two workers smooth the rows of an image: each takes a row, smooths it, and meets the other before the next pass.
//
// What is wrong: rows are handed out to whoever comes first. A worker that gets none returns at once, and the barrier,
// made for two, waits for it forever. In barrier_fixed.c every worker reaches the barrier, with or without a row.
//
// expect: exit=1 bug=deadlock runs<=200
#include <pthread.h>
#include <stdatomic.h>

#define WORKERS 2
#define ROWS 2

static pthread_barrier_t pass_done;
static atomic_int next_row;
static int smoothed[ROWS];

static void *worker(void *unused) {
  int row = next_row++;
  if (row >= ROWS) return NULL;
  for (; row < ROWS; row = next_row++) smoothed[row] = 1;
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
