// SPDX-License-Identifier: MIT
// heddle: --strategy random --max-runs 20 --max-events 1000 --hang-time 3
// Threads that write forever are stopped by the bound on visible operations, not called hanging.
// expect: exit=3 verdict=incomplete bugs=0 truncated_runs>=1
#include <pthread.h>

volatile int x;

static void *worker(void *unused) {
  while (1) x++;
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
