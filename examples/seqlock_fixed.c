// SPDX-License-Identifier: MIT
//
// seqlock.c repaired: what was read counts only if the sequence is the same before and after.
//
// expect: exit=0 verdict=clean warnings=0 runs=1439
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, y; // always the same

static void move(int to) {
  sequence++;
  x = to;
  y = to;
  sequence++;
}

static void read_point(int *x_read, int *y_read) {
  unsigned before;
  do {
    before = sequence;
    *x_read = x;
    *y_read = y;
  } while (before % 2 != 0 || sequence != before);
}

static void *reader(void *unused) {
  int x_read, y_read;
  read_point(&x_read, &y_read);
  assert(x_read == y_read);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  move(5);
  pthread_join(thread, NULL);
  return 0;
}
