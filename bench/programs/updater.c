/* SPDX-License-Identifier: MIT
 *
 * Updater, after the unfolding paper's description: two threads update a shared variable each, as their inputs say, and
 * two threads read both variables to compute with them; every variable has a lock. DEADLOCK=1 is the second variant:
 * one of the readers takes the locks in the other order. The inputs are the constants INPUTS, or unknown with
 * SYMBOLIC=1; an update by 0 is left out.
 */
#include <heddle.h>
#include <pthread.h>

#ifndef UPDATES
#define UPDATES 2
#endif
#ifndef COMPUTATIONS
#define COMPUTATIONS 1
#endif
#ifndef DEADLOCK
#define DEADLOCK 0
#endif
#ifndef SYMBOLIC
#define SYMBOLIC 0
#endif
#ifndef INPUTS
#define INPUTS 3, 1, -4, 1, 5, -9, 2, 6
#endif

static const int inputs[] = {INPUTS};
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int values[2], results[2];

_Static_assert(2 * UPDATES <= sizeof inputs / sizeof *inputs, "an input per update");

static void *updater(void *argument) {
  const long self = (long)argument;
  for (int i = 0; i < UPDATES; i++) {
    const int input = SYMBOLIC ? heddle_input_int("update") : inputs[2 * i + self];
    if (input == 0) continue;
    pthread_mutex_lock(&locks[self]);
    values[self] = input > 0 ? values[self] + input : -input;
    pthread_mutex_unlock(&locks[self]);
  }
  return NULL;
}

static void *reader(void *argument) {
  const long self = (long)argument, first = DEADLOCK ? self : 0;
  for (int i = 0; i < COMPUTATIONS; i++) {
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[1 - first]);
    results[self] += self == 0 ? values[0] + values[1] : values[0] - values[1];
    pthread_mutex_unlock(&locks[1 - first]);
    pthread_mutex_unlock(&locks[first]);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (long t = 0; t < 4; t++) pthread_create(&threads[t], NULL, t < 2 ? updater : reader, (void *)(t % 2));
  for (int t = 0; t < 4; t++) pthread_join(threads[t], NULL);
  return 0;
}
