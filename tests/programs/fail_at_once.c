// SPDX-License-Identifier: MIT
//
// main fails unless the other thread has written before. As long as nobody knows that they share `value`, main goes
// first, and fails before the other one has reached an operation. That must not keep the other one from being seen.
//
// heddle: --strategy exhaustive --keep-going
// expect: exit=1 runs=2 bugs=2 complete=true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int value;

static void *writer(void *unused) {
  value = 1;
  abort();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  assert(value == 1);
  pthread_join(thread, NULL);
  return 0;
}
