// SPDX-License-Identifier: MIT
// SV-COMP's assume_abort_if_not, defined by the program: its abort is not a bug.
// expect: exit=0 verdict=clean complete=true
#include <assert.h>
#include <pthread.h>

extern void abort(void);
void assume_abort_if_not(int condition) {
  if (!condition) {
    abort();
  }
}
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
  assume_abort_if_not(x == 2);
  assert(x == 2);
  return 0;
}
