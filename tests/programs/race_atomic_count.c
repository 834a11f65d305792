// SPDX-License-Identifier: MIT
// Updates hand on what came before them: the last of three to count down may use what all have written.
// expect: exit=0 complete=true warnings=0
#include <pthread.h>
#include <stdatomic.h>

int part[3];
atomic_int left = 3;
int sum;

static void *worker(void *which) {
  part[(long)which] = 1;
  if (atomic_fetch_sub(&left, 1) == 1) sum = part[0] + part[1] + part[2];
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return sum != 3;
}
