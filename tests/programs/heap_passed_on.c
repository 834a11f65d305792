// SPDX-License-Identifier: MIT
// A block allocated by one thread and freed by another.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

int *block;
sem_t there;

static void *maker(void *unused) {
  block = malloc(sizeof *block);
  *block = 42;
  sem_post(&there);
  return NULL;
}

int main(void) {
  sem_init(&there, 0, 0);
  pthread_t t;
  pthread_create(&t, NULL, maker, NULL);
  sem_wait(&there);
  assert(*block == 42);
  free(block);
  pthread_join(t, NULL);
  return 0;
}
