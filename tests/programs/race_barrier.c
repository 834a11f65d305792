// SPDX-License-Identifier: MIT
// Two phases with a barrier between them: what one wrote before it, the other reads after it.
// expect: exit=0 complete=true warnings=0
#include <pthread.h>

int part[2], sum[2];
pthread_barrier_t barrier;

static void *worker(void *argument) {
  const long mine = (long)argument;
  part[mine] = 1;
  pthread_barrier_wait(&barrier);
  sum[mine] = part[0] + part[1];
  pthread_barrier_wait(&barrier);
  part[1 - mine] = 2;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&a, NULL, worker, (void *)0);
  pthread_create(&b, NULL, worker, (void *)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return sum[0] + sum[1] != 4;
}
