// SPDX-License-Identifier: MIT
// With --races=off nobody looks for races.
// heddle: --races=off
// expect: exit=0 complete=true warnings=0
#include <pthread.h>

int counter;

static void *worker(void *unused) {
  counter++;
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
