// SPDX-License-Identifier: MIT
// Each of three philosophers takes the left fork, then the right one: 2^3 - 1 sequences, one of them the deadlock.
// heddle: --strategy reachability --check-once --keep-going
// expect: runs=7 blocked_runs=0 sequences=7 deadlocked_runs=1 complete=true bug=deadlock
#include <pthread.h>
#include <semaphore.h>

#define N 3
static sem_t forks[N];

static void *dine(void *argument) {
  const long i = (long)argument;
  sem_wait(&forks[i]);
  sem_wait(&forks[(i + 1) % N]);
  sem_post(&forks[i]);
  sem_post(&forks[(i + 1) % N]);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) sem_init(&forks[i], 0, 1);
  for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, dine, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  return 0;
}
