// SPDX-License-Identifier: MIT
//
// rounds.c repaired: a sleeper waits for the round to change; rounds never come back.
//
// expect: exit=0 verdict=clean warnings=0 runs=6
#include <pthread.h>

#define WORKERS 2
#define ROUNDS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived, round_number;

static void meet(void) {
  pthread_mutex_lock(&mutex);
  const int this_round = round_number;
  if (++arrived == WORKERS) {
    arrived = 0;
    round_number++;
    pthread_cond_broadcast(&all_here);
  } else {
    while (round_number == this_round) pthread_cond_wait(&all_here, &mutex);
  }
  pthread_mutex_unlock(&mutex);
}

static void *worker(void *unused) {
  for (int round = 0; round < ROUNDS; round++) meet();
  return NULL;
}

int main(void) {
  pthread_t workers[WORKERS];
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], NULL, worker, NULL);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], NULL);
  return 0;
}
