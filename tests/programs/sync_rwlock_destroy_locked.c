// SPDX-License-Identifier: MIT
// Destroying a rwlock that is read; sync_rwlock_values.c destroys one that is not.
// expect: exit=1 bug=lock-misuse line=BUG message~"destroy of a rwlock that is locked"
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_destroy(&lock); // BUG
  return 0;
}
