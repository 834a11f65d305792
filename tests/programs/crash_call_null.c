// SPDX-License-Identifier: MIT
// A call through a null pointer.
// expect: exit=1 bug=crash
#include <pthread.h>

void (*volatile function)(void);

static void *worker(void *unused) {
  function();
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
