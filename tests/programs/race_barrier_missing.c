// SPDX-License-Identifier: MIT
// The second phase writes without a barrier after the reads.
// expect: exit=0 data_race_lines=RACE
#include <pthread.h>

int part[2], sum[2];
pthread_barrier_t barrier;

static void *worker(void *argument) {
  const long mine = (long)argument;
  part[mine] = 1;
  pthread_barrier_wait(&barrier);
  sum[mine] = part[1 - mine]; // RACE
  part[mine] = 2;             // RACE
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&a, NULL, worker, (void *)0);
  pthread_create(&b, NULL, worker, (void *)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
