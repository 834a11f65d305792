// SPDX-License-Identifier: MIT
// Two threads increment without a lock: reads and writes are at one place, so there is one warning.
// expect: exit=0 complete=true data_race_warnings=1 data_race_lines=RACE warning~counter
// expect: warnings=1 bugs=0
#include <pthread.h>

int counter;

static void *worker(void *unused) {
  counter++; // RACE
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
