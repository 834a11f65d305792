// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"use of a rwlock that was destroyed"
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t object;

int main(void) {
  pthread_rwlock_init(&object, NULL);
  pthread_rwlock_destroy(&object);
  pthread_rwlock_tryrdlock(&object); // BUG
  return 0;
}
