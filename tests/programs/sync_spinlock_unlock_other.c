// SPDX-License-Identifier: MIT
// expect: exit=1 bug=lock-misuse line=BUG message~"unlock of a spinlock that another thread holds"
#include <pthread.h>

pthread_spinlock_t lock;

static void *robber(void *unused) {
  pthread_spin_unlock(&lock); // BUG
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
  pthread_create(&t, NULL, robber, NULL);
  pthread_join(t, NULL);
  return 0;
}
