// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"unlock of a rwlock that is not locked"
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock); // BUG
  return 0;
}
