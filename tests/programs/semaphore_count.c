// SPDX-License-Identifier: MIT
// A semaphore that starts at 1 is a lock.
// model: init s 1; acquire s; write x; post s | acquire s; write x; post s
// expect: exit=0 verdict=clean runs=2 runs=model
#include <pthread.h>
#include <semaphore.h>

sem_t s;
int x;

static void *worker(void *argument) {
  sem_wait(&s);
  x = 1;
  sem_post(&s);
  return NULL;
}

int main(void) {
  sem_init(&s, 0, 1);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  sem_destroy(&s);
  return 0;
}
