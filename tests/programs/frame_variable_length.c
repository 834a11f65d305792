// SPDX-License-Identifier: MIT
// Arrays whose length is known when the function runs, one after the other: both are dead when it returns.
// heddle: --keep-going
// expect: exit=1 bugs=2 bug=memory line=BUG output~"in writes_second"
#include <pthread.h>

struct lent {
  int *first, *second;
};

static struct lent lent;
static pthread_t threads[2];

static void *writes_first(void *argument) {
  ((int *)argument)[1] = 1; // BUG
  return NULL;
}

static void *writes_second(void *argument) {
  ((int *)argument)[1] = 1;
  return NULL;
}

static __attribute__((noinline)) void lends(int n) {
  int first[n], second[n + 1];
  first[1] = second[1] = 0;
  pthread_create(&threads[0], NULL, writes_first, first);
  pthread_create(&threads[1], NULL, writes_second, second);
}

int main(void) {
  lends(3);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
