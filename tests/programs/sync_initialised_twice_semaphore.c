// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"initialisation of a semaphore that is already initialised"
#include <pthread.h>
#include <semaphore.h>

static sem_t object;

int main(void) {
  sem_init(&object, 0, 1);
  sem_init(&object, 0, 1); // BUG
  return 0;
}
