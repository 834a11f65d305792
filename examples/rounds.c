// SPDX-License-Identifier: MIT
//
// Two workers compute in rounds and meet at a home-made barrier after each.
//
// What is wrong: the last one to arrive sets the count back for the next round. A worker that sleeps at the barrier
// looks at the count only when it has the lock again; if the other has come round to the barrier by then, the count is
// 1 again and it keeps sleeping. rounds_fixed.c waits for the number of the round to change.
//
// expect: exit=1 bug=deadlock runs<=200
#include <pthread.h>

#define WORKERS 2
#define ROUNDS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived;

static void meet(void) {
  pthread_mutex_lock(&mutex);
  if (++arrived == WORKERS) {
    arrived = 0;
    pthread_cond_broadcast(&all_here);
  } else {
    while (arrived != 0) pthread_cond_wait(&all_here, &mutex);
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
