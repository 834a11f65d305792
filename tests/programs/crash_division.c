// SPDX-License-Identifier: MIT
// expect: exit=1 bug=crash line=BUG message~division
#include <pthread.h>

int divisor = 1, result;

static void *worker(void *unused) {
  result = 100 / divisor; /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  divisor = 0;
  divisor = 1;
  pthread_join(t, NULL);
  return 0;
}
