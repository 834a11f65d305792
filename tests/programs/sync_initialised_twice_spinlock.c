// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"initialisation of a spinlock that is already initialised"
#include <pthread.h>
#include <semaphore.h>

static pthread_spinlock_t object;

int main(void) {
  pthread_spin_init(&object, 0);
  pthread_spin_init(&object, 0); // BUG
  return 0;
}
