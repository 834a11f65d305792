// SPDX-License-Identifier: MIT
// Two threads of nine visible operations, three times "read i, read j, write i": C(18, 9) runs.
// expect: exit=0 verdict=clean runs=48620
#include <pthread.h>

int i = 1, j = 1;

static void *left(void *unused) {
  for (int k = 0; k < 3; k++) i += j;
  return NULL;
}

static void *right(void *unused) {
  for (int k = 0; k < 3; k++) j += i;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
