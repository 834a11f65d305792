/* SPDX-License-Identifier: MIT
 *
 * The settings of strategy `exhaustive`.
 */
#ifndef HEDDLE_EXPLORE_EXHAUSTIVE_EXHAUSTIVE_H
#define HEDDLE_EXPLORE_EXHAUSTIVE_EXHAUSTIVE_H

#include <stdint.h>

struct exhaustive_settings {
  uint64_t max_preemptions; /* NO_LIMIT: no bound */
};

#endif
