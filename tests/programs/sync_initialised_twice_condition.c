// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"initialisation of a condition variable that is already initialised"
#include <pthread.h>
#include <semaphore.h>

static pthread_cond_t object;

int main(void) {
  pthread_cond_init(&object, NULL);
  pthread_cond_init(&object, NULL); // BUG
  return 0;
}
