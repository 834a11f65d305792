// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"destroy of a spinlock that is locked"
#include <pthread.h>

pthread_spinlock_t lock;

int main(void) {
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
  pthread_spin_destroy(&lock); // BUG
  return 0;
}
