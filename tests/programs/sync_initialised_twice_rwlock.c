// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"initialisation of a rwlock that is already initialised"
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t object;

int main(void) {
  pthread_rwlock_init(&object, NULL);
  pthread_rwlock_init(&object, NULL); // BUG
  return 0;
}
