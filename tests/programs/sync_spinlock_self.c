// SPDX-License-Identifier: MIT
// A thread that locks a spinlock it holds would spin forever.
// expect: exit=1 bug=deadlock line=BUG message~"main waits for spinlock lock (held by main since"
#include <pthread.h>

pthread_spinlock_t lock;

int main(void) {
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
  pthread_spin_lock(&lock); // BUG
  return 0;
}
