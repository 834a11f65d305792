// SPDX-License-Identifier: MIT
// Results that workers write and main reads after joining do not multiply runs.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <pthread.h>

int results[4];

static void *worker(void *argument) {
  const long i = (long)argument;
  for (int k = 0; k < 5; k++) results[i] += k;
  return NULL;
}

int main(void) {
  pthread_t t[4];
  for (long i = 0; i < 4; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 4; i++) {
    pthread_join(t[i], NULL);
    assert(results[i] == 10);
  }
  return 0;
}
