// SPDX-License-Identifier: MIT
//
// A ring buffer for one producer and one consumer, without locks.
//
// What is wrong: put moves the end of the ring first, and then stores the item. The consumer sees that there is an item
// and takes what was in its place before. ring_fixed.c stores first.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
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
  end = place + 1;
  places[place % PLACES] = item;
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
    assert(item == expected); // BUG
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
