// SPDX-License-Identifier: MIT
// In the first runs a thread is held back at --max-threads, in the last ones it is not: an exploration that goes on
// between the two must remember it.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int goes_on, steps;

static void *nothing(void *argument) {
  return argument;
}

static void *creates(void *argument) {
  pthread_t thread;
  while (atomic_load(&goes_on)) pthread_create(&thread, NULL, nothing, NULL);
  for (int i = 0; i < 8; i++) atomic_fetch_add(&steps, 1);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, creates, NULL);
  for (int i = 0; i < 8; i++) atomic_fetch_add(&steps, 1);
  atomic_store(&goes_on, 1);
  return 0;
}
