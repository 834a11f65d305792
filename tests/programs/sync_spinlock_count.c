// SPDX-License-Identifier: MIT
// Two threads that count under a spinlock: whoever is first.
// model: lock m; read x; write x; unlock m | lock m; read x; write x; unlock m
// expect: exit=0 verdict=clean complete=true runs=2 runs=model
// observe: count=2
#include "heddle.h"
#include <pthread.h>

pthread_spinlock_t lock;
int count;

static void *counter(void *unused) {
  pthread_spin_lock(&lock);
  count++;
  pthread_spin_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_spin_init(&lock, 0);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, counter, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  heddle_observe("count", count);
  return 0;
}
