// SPDX-License-Identifier: MIT
// Two threads join each other.
// expect: exit=1 bug=deadlock
#include <pthread.h>
#include <semaphore.h>

pthread_t t[2];
sem_t go;

static void *worker(void *argument) {
  sem_wait(&go);
  pthread_join(t[1 - (long)argument], NULL);
  return NULL;
}

int main(void) {
  sem_init(&go, 0, 0);
  for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  sem_post(&go);
  sem_post(&go);
  pthread_exit(NULL);
}
