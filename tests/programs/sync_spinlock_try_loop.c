// SPDX-License-Identifier: MIT
// A loop around trylock of a lock that its holder never gives back: a livelock, not an endless run.
// expect: exit=1 bug=livelock
#include <pthread.h>

pthread_spinlock_t lock;

static void *spinner(void *unused) {
  while (pthread_spin_trylock(&lock) != 0) continue;
  pthread_spin_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
  pthread_create(&t, NULL, spinner, NULL);
  pthread_join(t, NULL);
  return 0;
}
