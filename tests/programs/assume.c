// SPDX-License-Identifier: MIT
// Runs in which an assumption fails say nothing.
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
int x;

static void *worker(void *unused) {
  x++;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  __VERIFIER_assume(x == 2);
  assert(x == 2);
  return 0;
}
