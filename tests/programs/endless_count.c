// SPDX-License-Identifier: MIT
// heddle: --hang-time 1
// A loop without visible operations that comes to another state each time. When it will end cannot be said, so that it
// is not a finding: the runs are cut short.
// expect: exit=3 verdict=incomplete learning_runs=3
#include <pthread.h>

static unsigned long count;

static void *worker(void *unused) {
  while (1) count++;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
