// SPDX-License-Identifier: MIT
// expect: exit=1 bug=crash line=BUG
#include <pthread.h>
#include <stddef.h>

int value = 5, *pointer = &value;

static void *worker(void *unused) {
  if (pointer) *pointer = 3; /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pointer = NULL;
  pthread_join(t, NULL);
  return 0;
}
