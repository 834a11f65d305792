// SPDX-License-Identifier: MIT
// With --races=error a race is a bug: it ends the run and can be repeated.
// heddle: --races=error
// expect: exit=1 bug=data-race line=BUG message~"data race"
// expect: message~"not ordered with write by t1 at"
// expect: warnings=0
// replay: data race
#include <pthread.h>

int x, y;

static void *writer(void *unused) {
  x = 1;
  return NULL;
}

static void *reader(void *unused) {
  y = x; // BUG
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return y > 1;
}
