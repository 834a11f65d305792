/* SPDX-License-Identifier: MIT
 *
 * Szymanski's mutual exclusion for two threads: the waiting room has a door, and who stands in it waits until the door
 * is closed. A flag is 0 outside, 1 wishing to enter, 2 waiting for others to enter, 3 standing in the door, 4 inside.
 * Of the SV-COMP benchmarks; as in the unfolding paper a wait looks at most TRIES times, and who still has to wait then
 * gives up.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef TRIES
#define TRIES 2
#endif

enum { OUTSIDE, WISHING, WAITING, IN_DOOR, INSIDE };

static int flags[2], inside;

static bool door_is_open(int other) {
  return other < IN_DOOR;
}

static bool somebody_is_inside(int other) {
  return other == INSIDE;
}

static bool nobody_is_before(int other) {
  return other < WAITING;
}

static bool door_was_left(int other) {
  return other < WAITING || other > IN_DOOR;
}

static bool wait_until(bool (*holds)(int), const int *flag) {
  for (int i = 0; i < TRIES; i++)
    if (holds(*flag)) return true;
  return false;
}

static void *thread(void *argument) {
  const long self = (long)argument;
  int *const mine = &flags[self];
  const int *const other = &flags[1 - self];
  *mine = WISHING;
  if (!wait_until(door_is_open, other)) return NULL;
  *mine = IN_DOOR;
  if (*other == WISHING) {
    *mine = WAITING;
    if (!wait_until(somebody_is_inside, other)) return NULL;
  }
  *mine = INSIDE;
  if (self == 1 && !wait_until(nobody_is_before, other)) return NULL;
  inside = (int)self;
  assert(inside == self);
  if (self == 0 && !wait_until(door_was_left, other)) return NULL;
  *mine = OUTSIDE;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long t = 0; t < 2; t++) pthread_create(&threads[t], NULL, thread, (void *)t);
  for (int t = 0; t < 2; t++) pthread_join(threads[t], NULL);
  return 0;
}
