// SPDX-License-Identifier: MIT
// Inline assembly is run as it is, and named.
// expect: exit=0 verdict=clean output~assembly
#include <pthread.h>

int x;

static void *worker(void *unused) {
  __asm__ volatile("incl %0" : "+m"(x));
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
