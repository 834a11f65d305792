// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"use of a spinlock that was never initialised"
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void) {
  pthread_spin_lock(&lock); // BUG
  return 0;
}
