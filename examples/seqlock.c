// SPDX-License-Identifier: MIT
//
// A sequence lock: the writer makes the sequence odd while it writes; a reader that meets a writer reads again.
//
// What is wrong: the reader waits for an even sequence before it reads, but does not compare afterwards. A writer that
// comes in the middle gives it half of the old and half of the new point. seqlock_fixed.c compares.
//
// expect: exit=1 bug=assertion line=BUG runs<=200
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
  while (sequence % 2 != 0) {
  }
  *x_read = x;
  *y_read = y;
}

static void *reader(void *unused) {
  int x_read, y_read;
  read_point(&x_read, &y_read);
  assert(x_read == y_read); // BUG
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  move(5);
  pthread_join(thread, NULL);
  return 0;
}
