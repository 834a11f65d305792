// SPDX-License-Identifier: MIT
// The block is freed when both have counted down with an atomic update: in order. The other one is freed by whoever
// reaches it: its last use is a race with that.
// heddle: --keep-going
// expect: exit=1 bug=memory data_race_warnings=1 data_race_lines=RACE warning~free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int *counted, *careless;
atomic_int references = 2;

static void *frees(void *unused) {
  *counted = 1;
  if (atomic_fetch_sub(&references, 1) == 1) free(counted);
  free(careless); // RACE
  return NULL;
}

static void *uses(void *unused) {
  *careless = 1; // RACE
  if (atomic_fetch_sub(&references, 1) == 1) free(counted);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  counted = malloc(sizeof *counted);
  careless = malloc(sizeof *careless);
  pthread_create(&a, NULL, uses, NULL);
  pthread_create(&b, NULL, frees, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
