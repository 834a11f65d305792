/* SPDX-License-Identifier: MIT
 *
 * An assertion that fails with exactly J interferences and not with fewer: J times a thread must read what the other
 * one wrote. SHAPE 0: one thread reads J variables that the other one writes. SHAPE 1: the two take turns, each going
 * on only if the other one did. SHAPE 2: one variable goes up by one in turns, under a lock. The first value needs an
 * input.
 */
#include "heddle.h"

#include <assert.h>
#include <pthread.h>

#ifndef J
#define J 1
#endif
#ifndef SHAPE
#define SHAPE 0
#endif

static int cells[J + 1];

static int first(void) {
  return heddle_input_int("first") == 9 ? 1 : 0;
}

#if SHAPE == 0

static void *left(void *unused) {
  const int value = first();
  for (int i = 0; i < J; i++) cells[i] = value + i;
  return unused;
}

static void *right(void *unused) {
  int all = 1;
  for (int i = 0; i < J; i++) all &= cells[i] == 1 + i;
  assert(!all);
  return unused;
}

#elif SHAPE == 1

/* Cell k is written by the left thread if k is even, and shows that cell k - 1 was seen by it. */
static int play(int k) {
  if (k == J) return 1;
  if (k > 0 && cells[k - 1] != k) return 0;
  cells[k] = k + 1;
  return 1;
}

static int won(void) {
  return cells[J - 1] == J;
}

static void *left(void *unused) {
  if (!first()) return unused;
  for (int k = 0; k < J; k += 2)
    if (!play(k)) return unused;
  if (J % 2 == 0) assert(!won());
  return unused;
}

static void *right(void *unused) {
  for (int k = 1; k < J; k += 2)
    if (!play(k)) return unused;
  if (J % 2 == 1) assert(!won());
  return unused;
}

#else

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ball;

/* Takes the ball if it is at `from`. */
static int take(int from) {
  pthread_mutex_lock(&lock);
  const int taken = ball == from;
  if (taken) ball = from + 1;
  pthread_mutex_unlock(&lock);
  return taken;
}

static void *left(void *unused) {
  if (!first()) return unused;
  for (int k = 0; k <= J; k += 2) {
    if (!take(k)) return unused;
    assert(k != J);
  }
  return unused;
}

static void *right(void *unused) {
  for (int k = 1; k <= J; k += 2) {
    if (!take(k)) return unused;
    assert(k != J);
  }
  return unused;
}

#endif

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, left, NULL);
  pthread_create(&threads[1], NULL, right, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
