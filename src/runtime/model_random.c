/* SPDX-License-Identifier: MIT
 *
 * rand and random: a sequence per thread, the same in every run. (libc's is one for all threads, and which thread gets
 * which number would depend on the schedule in a way that no visible operation shows.)
 */
#include "models.h"
#include "twins.h"

#include <stdlib.h>

static int next_number(void) {
  struct thread *thread = self();
  spin_end(thread);
  twins_tell_apart(thread, "they ask for random numbers");
  thread->random_state = thread->random_state * 6364136223846793005ull + 1442695040888963407ull;
  return (int)(thread->random_state >> 33);
}

WRAPPED(int, rand, (void), ()) {
  return next_number();
}

WRAPPED_VOID(srand, (unsigned seed), (seed)) {
  self()->random_state = seed;
}

WRAPPED(long, random, (void), ()) {
  return next_number();
}

WRAPPED_VOID(srandom, (unsigned seed), (seed)) {
  self()->random_state = seed;
}
