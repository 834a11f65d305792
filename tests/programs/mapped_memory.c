// SPDX-License-Identifier: MIT
// Memory from mmap is shared memory like any other, and new in every run.
// expect: exit=0 verdict=clean runs=6
// observe: sum=1
// observe: sum=2
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

int *counter;

static void *worker(void *unused) {
  (*counter)++;
  return NULL;
}

int main(void) {
  counter = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(counter != MAP_FAILED && *counter == 0);
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  heddle_observe("sum", *counter);
  return 0;
}
