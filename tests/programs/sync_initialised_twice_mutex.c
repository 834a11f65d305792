// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"initialisation of a mutex that is already initialised"
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t object;

int main(void) {
  pthread_mutex_init(&object, NULL);
  pthread_mutex_init(&object, NULL); // BUG
  return 0;
}
