// SPDX-License-Identifier: MIT
// Hundreds of threads with a lock, one of them without: the clocks are as long as there are threads.
// heddle: --strategy random --max-runs 5 --max-threads 1000
// expect: exit=3 data_race_warnings=1 data_race_lines=RACE
#include <pthread.h>

#define THREADS 300

int counter, careless;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
  pthread_mutex_lock(&m);
  counter++;
  careless++; // RACE
  pthread_mutex_unlock(&m);
  if ((long)argument == 150) careless = 0; // RACE
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return counter != THREADS;
}
