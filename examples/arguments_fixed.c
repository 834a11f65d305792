// SPDX-License-Identifier: MIT
//
// arguments.c repaired: every worker has an argument of its own.
//
// expect: exit=0 verdict=clean warnings=0 runs=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WORKERS 2

static atomic_int done[WORKERS];

static void *work(void *argument) {
  const int part = *(int *)argument;
  done[part]++;
  return NULL;
}

int main(void) {
  pthread_t workers[WORKERS];
  int parts[WORKERS];
  for (int i = 0; i < WORKERS; i++) {
    parts[i] = i;
    pthread_create(&workers[i], NULL, work, &parts[i]);
  }
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], NULL);
  for (int i = 0; i < WORKERS; i++) assert(done[i] == 1);
  return 0;
}
