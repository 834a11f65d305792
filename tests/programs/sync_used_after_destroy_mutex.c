// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"use of a mutex that was destroyed"
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t object;

int main(void) {
  pthread_mutex_init(&object, NULL);
  pthread_mutex_destroy(&object);
  pthread_mutex_lock(&object); // BUG
  return 0;
}
