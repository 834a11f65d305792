// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"use of a semaphore that was destroyed"
#include <pthread.h>
#include <semaphore.h>

static sem_t object;

int main(void) {
  sem_init(&object, 0, 1);
  sem_destroy(&object);
  sem_wait(&object); // BUG
  return 0;
}
