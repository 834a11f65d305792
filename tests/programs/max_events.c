// SPDX-License-Identifier: MIT
// heddle: --max-events 5 --keep-going
// Runs longer than the bound are cut off, and the verdict says so.
// expect: exit=3 verdict=incomplete complete=false truncated_runs>=1 bugs=0
#include <pthread.h>

int x;

static void *worker(void *unused) {
  for (int i = 0; i < 4; i++) x = i;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
