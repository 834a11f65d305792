// SPDX-License-Identifier: MIT
// What the program printed is shown by replay.
// expect: exit=1 bug=assertion
// replay: printed by the thread: 1
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int x;

static void *worker(void *unused) {
  printf("printed by the thread: %d\n", x);
  assert(x == 0);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  x = 1;
  pthread_join(t, NULL);
  return 0;
}
