// SPDX-License-Identifier: MIT
// What pthread_once initialised may be read by every caller.
// expect: exit=0 complete=true warnings=0
#include <pthread.h>

int table;
pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void) {
  table = 7;
}

static void *worker(void *result) {
  pthread_once(&once, fill);
  *(int *)result = table;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  pthread_create(&a, NULL, worker, &x);
  pthread_create(&b, NULL, worker, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y != 14;
}
