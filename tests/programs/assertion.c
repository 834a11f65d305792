// SPDX-License-Identifier: MIT
// A failed assertion names its place.
// expect: exit=1 verdict=bug complete=false bug=assertion line=BUG function=worker message~"x == 0"
// expect: bugs=1
#include <assert.h>
#include <pthread.h>

int x;

static void *worker(void *unused) {
  assert(x == 0); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  x = 1;
  pthread_join(t, NULL);
  return 0;
}
