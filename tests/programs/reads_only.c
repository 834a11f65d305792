// SPDX-License-Identifier: MIT
// Three reads of an unchanged value in a row are not a spin loop either: C(6, 3) runs.
// expect: exit=0 verdict=clean runs=20
#include <pthread.h>

int x;

static void *reader(void *unused) {
  volatile int a = x, b = x, c = x;
  (void)(a + b + c);
  return NULL;
}

static void *writer(void *unused) {
  x = 1;
  x = 2;
  x = 3;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, reader, NULL);
  pthread_create(&t, NULL, writer, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
