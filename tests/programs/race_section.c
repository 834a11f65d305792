// SPDX-License-Identifier: MIT
// Atomic sections are ordered among each other: only the access outside of them races.
// expect: exit=0 data_race_warnings=1 data_race_lines=RACE
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int inside, both;

static void *worker(void *unused) {
  __VERIFIER_atomic_begin();
  inside++;
  both = 1; // RACE
  __VERIFIER_atomic_end();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  both = 2; // RACE
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return inside != 2;
}
