/* SPDX-License-Identifier: MIT
 *
 * When work must end: at a given moment, or on an interrupt. Long work asks now and then, and stops unfinished if the
 * answer is yes. `is_over` tells the one who set the deadline that something may be unfinished.
 */
#ifndef HEDDLE_BASE_DEADLINE_H
#define HEDDLE_BASE_DEADLINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct deadline {
  const volatile sig_atomic_t *interrupted; /* not 0: at once; NULL: nobody does */
  double at;                                /* by clock_seconds(); 0: never */
  uint32_t asked;
  bool is_over; /* somebody was told so */
};

/* Of a clock that only goes forward. */
double clock_seconds(void);

/* Cheap: the clock is looked at only now and then. NULL: there is none. */
bool deadline_is_over(struct deadline *deadline);
/* The same, by the clock of this moment. */
bool deadline_is_over_now(struct deadline *deadline);
/* Milliseconds until then, at most `most`. */
int deadline_milliseconds_left(const struct deadline *deadline, int most);

#endif
