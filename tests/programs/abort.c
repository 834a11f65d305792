// SPDX-License-Identifier: MIT
// expect: exit=1 bug=crash line=BUG
#include <pthread.h>
#include <stdlib.h>

int x;

static void *worker(void *unused) {
  if (x) abort(); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  x = 1;
  pthread_join(t, NULL);
  return 0;
}
