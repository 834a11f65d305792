// SPDX-License-Identifier: MIT
// An atomic increment is one visible operation: C(6, 3) runs.
// expect: exit=0 verdict=clean runs=20
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *worker(void *unused) {
  for (int i = 0; i < 3; i++) x++;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(x == 6);
  return 0;
}
