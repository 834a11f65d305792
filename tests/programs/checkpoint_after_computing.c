// SPDX-License-Identifier: MIT
// Main computes for long before it creates threads: later runs start after that. The counts are those of runs from
// main, and what main has computed is there.
// heddle: --strategy exhaustive
// model: write x; write x; write x | write x; write x; write x
// expect: runs=model verdict=clean complete=true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static volatile int x;
static unsigned table[4096];

static void *worker(void *block) {
  for (int i = 0; i < 3; i++) x = 1;
  assert(*(unsigned *)block == table[4095]);
  return NULL;
}

int main(void) {
  unsigned *block = malloc(sizeof *block);
  unsigned number = 1;
  for (int round = 0; round < 50; round++)
    for (int i = 0; i < 4096; i++) table[i] = number = number * 1664525u + 1013904223u;
  *block = number;
  pthread_t a, b;
  pthread_create(&a, NULL, worker, block);
  pthread_create(&b, NULL, worker, block);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(x == 1 && *block == number);
  free(block);
}
