// SPDX-License-Identifier: MIT
// Neighbouring bytes used by different threads are not shared: one run.
// expect: exit=0 verdict=clean runs=1
#include <pthread.h>

char a[2];

static void *worker(void *argument) {
  for (int i = 0; i < 3; i++) a[(long)argument]++;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
