// SPDX-License-Identifier: MIT
// The same through atomic operations: add, exchange, compare and exchange.
// expect: exit=0 verdict=clean complete=true
// observe: added=0 exchanged=0 swapped=0
// observe: added=0 exchanged=0 swapped=1
// observe: added=0 exchanged=1 swapped=0
// observe: added=0 exchanged=1 swapped=1
// observe: added=1 exchanged=0 swapped=0
// observe: added=1 exchanged=0 swapped=1
// observe: added=1 exchanged=1 swapped=0
// observe: added=1 exchanged=1 swapped=1
#include "heddle.h"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum, place, word;

static void *worker(void *unused) {
  atomic_fetch_add(&sum, heddle_input_int("first"));
  atomic_exchange(&place, heddle_input_int("second"));
  int expected = 5;
  atomic_compare_exchange_strong(&word, &expected, heddle_input_int("third"));
  return NULL;
}

int main(void) {
  atomic_store(&sum, 1);
  atomic_store(&word, 5);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  int added = 0, exchanged = 0, swapped = 0;
  if (atomic_load(&sum) == -7) added = 1;
  if (place > 123456) exchanged = 1;
  if (word * 2 == 14) swapped = 1;
  heddle_observe("added", added);
  heddle_observe("exchanged", exchanged);
  heddle_observe("swapped", swapped);
  return 0;
}
