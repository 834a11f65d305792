// SPDX-License-Identifier: MIT
// expect: exit=1 bug=crash line=BUG message~0x512345678000
#include <pthread.h>

static void *worker(void *unused) {
  *(volatile int *)0x512345678000 = 1; /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
