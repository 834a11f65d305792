// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"use of a spinlock that was destroyed"
#include <pthread.h>
#include <semaphore.h>

static pthread_spinlock_t object;

int main(void) {
  pthread_spin_init(&object, 0);
  pthread_spin_destroy(&object);
  pthread_spin_lock(&object); // BUG
  return 0;
}
