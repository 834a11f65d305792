// SPDX-License-Identifier: MIT
// Terms go through atomic operations, on shared and on local variables; whether a compare-and-exchange succeeds is a
// decision. A path for each condition, and one where none holds.
// expect: exit=0 verdict=clean runs=13
#include "heddle.h"
#include <stdatomic.h>

static int hits;
static atomic_int number;
static _Atomic unsigned char small;
static _Atomic(char *) pointer;

static void is(int value, int wanted) {
  if (value == wanted) hits++;
}

static void updates(int x) {
  atomic_store(&number, x);
  is(atomic_load(&number), 1);
  is(atomic_fetch_add(&number, 5), 2);
  is(atomic_fetch_sub(&number, 2), 8);
  is(atomic_load(&number), 7);
  is(atomic_exchange(&number, x ^ 8), 8);
  is(atomic_fetch_or(&number, 0), 8 ^ 6);
  is(atomic_fetch_and(&number, ~8) == 15 && x == 7, 1);
  atomic_store(&number, 3);
  __atomic_fetch_max((int *)&number, x, __ATOMIC_SEQ_CST);
  is(atomic_load(&number), 8);
  small = 0;
  small += (unsigned char)(x & 0xff);
  is(small, 9);
}

static void exchanges(int x) {
  int expected = 10;
  atomic_store(&number, x);
  if (atomic_compare_exchange_strong(&number, &expected, 100)) { /* a path */
    is(atomic_load(&number), 101);                               /* never */
  } else {
    is(expected, 11);
  }
  _Atomic int local = 0;
  expected = 0;
  atomic_compare_exchange_strong(&local, &expected, x);
  is(local, 12);
  static char bytes[4];
  atomic_store(&pointer, bytes + (x & 0));
  is(*atomic_load(&pointer), 1); /* never */
}

int main(void) {
  const int x = heddle_input_int("x");
  updates(x);
  exchanges(x);
  return 0;
}
