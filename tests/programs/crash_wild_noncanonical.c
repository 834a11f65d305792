// SPDX-License-Identifier: MIT
// expect: exit=1 bug=crash
#include <pthread.h>

static void *worker(void *unused) {
  *(volatile int *)0x4141414141414141 = 1;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
