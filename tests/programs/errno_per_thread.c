// SPDX-License-Identifier: MIT
// errno belongs to a thread.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int x;

static void *worker(void *argument) {
  errno = (int)(long)argument;
  x = 1;
  assert(errno == (int)(long)argument);
  x = 2;
  assert(errno == (int)(long)argument);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, (void *)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
