// SPDX-License-Identifier: MIT
// Arrays of a variable length in a loop, each at the place of the one before; whoever uses one is joined in time.
// expect: exit=0 verdict=clean complete=true runs=1 events=0
#include <alloca.h>
#include <assert.h>
#include <pthread.h>

static void *writer(void *argument) {
  *(int *)argument = 1;
  return NULL;
}

static void lend(int *number) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, number);
  pthread_join(thread, NULL);
  assert(*number == 1);
}

static __attribute__((noinline)) void lends(int n) {
  for (int i = 1; i <= n; i++) {
    int numbers[i];
    lend(&numbers[i - 1]);
  }
  lend(alloca(n * sizeof(int)));
}

int main(void) {
  lends(2);
  lends(1);
  return 0;
}
