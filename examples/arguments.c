// SPDX-License-Identifier: MIT
//
// main starts workers and gives each its number.
//
// What is wrong: every worker gets the address of the same variable, and main changes it for the next worker, perhaps
// before this one has read it: two workers can do the same part, and one part is left undone. arguments_fixed.c gives
// each an address of its own.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WORKERS 2

static atomic_int done[WORKERS + 1];

static void *work(void *argument) {
  const int part = *(int *)argument;
  done[part]++;
  return NULL;
}

int main(void) {
  pthread_t workers[WORKERS];
  int part;
  for (part = 0; part < WORKERS; part++) pthread_create(&workers[part], NULL, work, &part);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], NULL);
  for (int i = 0; i < WORKERS; i++) assert(done[i] == 1); // BUG
  return 0;
}
