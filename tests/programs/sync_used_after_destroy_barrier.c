// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"use of a barrier that was destroyed"
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t object;

int main(void) {
  pthread_barrier_init(&object, NULL, 1);
  pthread_barrier_destroy(&object);
  pthread_barrier_wait(&object); // BUG
  return 0;
}
