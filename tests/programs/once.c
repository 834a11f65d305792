// SPDX-License-Identifier: MIT
// The function runs once, and nobody passes before it has ended.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int calls, value;

static void initialise(void) {
  calls++;
  value = 42;
}

static void *worker(void *unused) {
  pthread_once(&once, initialise);
  assert(value == 42);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(calls == 1);
  return 0;
}
