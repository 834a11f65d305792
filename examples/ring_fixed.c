// SPDX-License-Identifier: MIT
//
// ring.c repaired: an item is in its place before the consumer can know of it.
//
// expect: exit=0 verdict=clean warnings=0 runs=30690
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define PLACES 2
#define ITEMS 2

static atomic_int places[PLACES];
static atomic_uint begin, end;

static bool put(int item) {
  const unsigned place = end;
  if (place - begin == PLACES) return false;
  places[place % PLACES] = item;
  end = place + 1;
  return true;
}

static bool take(int *item) {
  const unsigned place = begin;
  if (place == end) return false;
  *item = places[place % PLACES];
  begin = place + 1;
  return true;
}

static void *consume(void *unused) {
  for (int expected = 1; expected <= ITEMS; expected++) {
    int item;
    while (!take(&item)) {
    }
    assert(item == expected);
  }
  return NULL;
}

int main(void) {
  pthread_t consumer;
  pthread_create(&consumer, NULL, consume, NULL);
  for (int item = 1; item <= ITEMS; item++)
    while (!put(item)) {
    }
  pthread_join(consumer, NULL);
  return 0;
}
