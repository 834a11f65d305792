// SPDX-License-Identifier: MIT
// A barrier for three with two threads.
// expect: exit=1 bug=deadlock line=BUG message~"t1 waits for barrier barrier (1 more must come)"
#include <pthread.h>

pthread_barrier_t barrier;

static void *thread(void *unused) {
  pthread_barrier_wait(&barrier); // BUG
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&barrier, NULL, 3);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, thread, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
