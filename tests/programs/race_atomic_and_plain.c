// SPDX-License-Identifier: MIT
// One access is atomic, the other is not: still a race.
// expect: exit=0 data_race_warnings=1 data_race_lines=RACE warning~"atomic update"
#include <pthread.h>

int counter, seen;

static void *worker(void *unused) {
  __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST); // RACE
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  seen = counter; // RACE
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
