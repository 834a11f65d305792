// SPDX-License-Identifier: MIT
// Unlocking a rwlock that only another thread reads.
// expect: exit=1 bug=lock-misuse line=BUG message~"unlock of a rwlock that only other threads hold"
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *robber(void *unused) {
  pthread_rwlock_unlock(&lock); // BUG
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_rwlock_rdlock(&lock);
  pthread_create(&t, NULL, robber, NULL);
  pthread_join(t, NULL);
  pthread_rwlock_unlock(&lock);
  return 0;
}
