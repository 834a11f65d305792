// SPDX-License-Identifier: MIT
// Also what stood in a buffer when the program crashed.
// expect: exit=1 bug=crash
// replay: no newline here
#include <pthread.h>
#include <stdio.h>

static void *worker(void *unused) {
  printf("no newline here");
  *(volatile int *)8 = 1;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
