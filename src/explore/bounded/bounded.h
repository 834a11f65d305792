/* SPDX-License-Identifier: MIT
 *
 * How strategy `bounded` goes on with a higher bound.
 */
#ifndef HEDDLE_EXPLORE_BOUNDED_BOUNDED_H
#define HEDDLE_EXPLORE_BOUNDED_BOUNDED_H

#include <stdint.h>

/* What was explored stays explored. */
void bounded_raise(void *self, uint64_t max_preemptions);

#endif
