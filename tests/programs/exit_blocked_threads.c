// SPDX-License-Identifier: MIT
// Threads that wait forever when main returns are not a deadlock: the process ends.
// expect: exit=0 verdict=clean
#include <pthread.h>
#include <semaphore.h>

sem_t s;

static void *worker(void *unused) {
  sem_wait(&s);
  return NULL;
}

int main(void) {
  sem_init(&s, 0, 0);
  pthread_t a;
  pthread_create(&a, NULL, worker, NULL);
  return 0;
}
