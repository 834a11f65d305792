/* SPDX-License-Identifier: MIT
 *
 * Semaphores. A waiting thread gets what it waits for from the thread that lets it continue, so that nobody comes in
 * between: a V that finds a P waiting leaves the value as it is, and the other way round for the V of a binary
 * semaphore.
 */
#include "sync/internal.h"

#include <limits.h>

struct STATE state {
  pthread_mutex_t mutex;
  struct queue takers, givers;
};
_Static_assert(sizeof(struct state) <= sizeof(((heddle_semaphore *)0)->heddle_state), "a semaphore's state fits");

static struct state *state_of(heddle_semaphore *semaphore) {
  if (semaphore->heddle_kind != HEDDLE_KIND_SEMAPHORE && semaphore->heddle_kind != HEDDLE_KIND_BINARY_SEMAPHORE)
    misuse("use of a semaphore that is not initialised");
  return (struct state *)semaphore->heddle_state;
}

void heddle_semaphore_init(heddle_semaphore *semaphore, int value) {
  if (value < 0) misuse("a semaphore with a negative value");
  *semaphore = (heddle_semaphore)HEDDLE_SEMAPHORE(value);
}

void heddle_semaphore_init_binary(heddle_semaphore *semaphore, int value) {
  if (value != 0 && value != 1) misuse("a binary semaphore with a value other than 0 or 1");
  *semaphore = (heddle_semaphore)HEDDLE_BINARY_SEMAPHORE(value);
}

void heddle_semaphore_destroy(heddle_semaphore *semaphore) {
  struct state *state = state_of(semaphore);
  pthread_mutex_lock(&state->mutex);
  const bool in_use = state->takers.length || state->givers.length;
  pthread_mutex_unlock(&state->mutex);
  if (in_use) misuse("destroy of a semaphore while threads wait on it");
  pthread_mutex_destroy(&state->mutex);
  semaphore->heddle_kind = DESTROYED;
}

static void check_value(const heddle_semaphore *semaphore) {
  if (semaphore->heddle_value < 0) misuse("a semaphore with a negative value");
  if (semaphore->heddle_kind == HEDDLE_KIND_BINARY_SEMAPHORE && semaphore->heddle_value > 1)
    misuse("a binary semaphore with a value other than 0 or 1");
}

void heddle_P(heddle_semaphore *semaphore) {
  struct state *state = state_of(semaphore);
  pthread_mutex_lock(&state->mutex);
  check_value(semaphore);
  if (semaphore->heddle_value == 0)
    queue_wait(&state->takers, &state->mutex);
  else if (!queue_let_go(&state->givers))
    semaphore->heddle_value--;
  pthread_mutex_unlock(&state->mutex);
}

void heddle_V(heddle_semaphore *semaphore) {
  struct state *state = state_of(semaphore);
  pthread_mutex_lock(&state->mutex);
  check_value(semaphore);
  if (semaphore->heddle_kind == HEDDLE_KIND_BINARY_SEMAPHORE && semaphore->heddle_value == 1)
    queue_wait(&state->givers, &state->mutex);
  else if (!queue_let_go(&state->takers)) {
    if (semaphore->heddle_value == INT_MAX) misuse("V of a semaphore that already has the largest value");
    semaphore->heddle_value++;
  }
  pthread_mutex_unlock(&state->mutex);
}
