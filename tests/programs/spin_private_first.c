// SPDX-License-Identifier: MIT
// Two threads spin on flags that only main sets, much later.
// expect: exit=0 verdict=clean complete=true
#include <pthread.h>

volatile int go[2];

static void *worker(void *argument) {
  while (!go[(long)argument]) {
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++) go[i] = 1;
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
