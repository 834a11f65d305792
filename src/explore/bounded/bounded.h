/* SPDX-License-Identifier: MIT
 *
 * The settings of strategy `bounded`, and how to go on with a higher bound.
 */
#ifndef HEDDLE_EXPLORE_BOUNDED_BOUNDED_H
#define HEDDLE_EXPLORE_BOUNDED_BOUNDED_H

#include <stdint.h>

struct bounded_settings {
  uint64_t max_preemptions; /* NO_LIMIT: no bound */
};

/* What was explored stays explored. */
void bounded_raise(void *self, uint64_t max_preemptions);

#endif
