// SPDX-License-Identifier: MIT
// Two units, three threads.
// model: init s 2; acquire s; write x; post s | acquire s; write x; post s | acquire s; write x; post s
// expect: exit=0 verdict=clean runs=model
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
  sem_init(&s, 0, 2);
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
