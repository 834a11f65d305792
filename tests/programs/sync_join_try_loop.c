// SPDX-License-Identifier: MIT
// A loop around pthread_tryjoin_np is a spin loop that the thread's end ends.
// expect: exit=0 verdict=clean complete=true
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread(void *unused) {
  x++;
  x++;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL);
  while (pthread_tryjoin_np(t, NULL) != 0) continue;
  return x != 2;
}
