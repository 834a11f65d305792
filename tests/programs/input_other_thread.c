// SPDX-License-Identifier: MIT
// A condition on the input of another thread, read while that thread continues.
// expect: exit=1 bug=assertion line=BUG
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int value;

static void *producer(void *unused) {
  value = heddle_input_int("value");
  atomic_store(&ready, 1);
  value = value + 1;
  return NULL;
}

static void *consumer(void *unused) {
  if (!atomic_load(&ready)) return NULL;
  const int first = value, second = value;
  if (first != second && first * 7 == 7 * 191) assert(0); /* BUG */
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, producer, NULL);
  pthread_create(&t, NULL, consumer, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
