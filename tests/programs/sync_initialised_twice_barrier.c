// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"initialisation of a barrier that is already initialised"
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t object;

int main(void) {
  pthread_barrier_init(&object, NULL, 1);
  pthread_barrier_init(&object, NULL, 1); // BUG
  return 0;
}
