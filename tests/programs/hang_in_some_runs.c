// SPDX-License-Identifier: MIT
// heddle: --keep-going
// A loop without visible operations in one of the schedules; the others are still explored.
// expect: exit=1 bug=livelock
// expect: bug=assertion line=BUG
#include <assert.h>
#include <pthread.h>

int x;

static void *worker(void *argument) {
  x = (int)(long)argument;
  if (x == 2 && argument == (void *)1) {
    volatile int local = 0;
    while (1) local = !local;
  }
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, (void *)1);
  pthread_create(&t, NULL, worker, (void *)2);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(x == 2); /* BUG */
  return 0;
}
