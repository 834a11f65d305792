// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"use of a condition variable that was destroyed"
#include <pthread.h>
#include <semaphore.h>

static pthread_cond_t object;

int main(void) {
  pthread_cond_init(&object, NULL);
  pthread_cond_destroy(&object);
  pthread_cond_signal(&object); // BUG
  return 0;
}
