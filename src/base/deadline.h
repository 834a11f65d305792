/* SPDX-License-Identifier: MIT
 *
 * When work must end: at a moment, or when somebody interrupts. Who works long asks now and then, and leaves what it
 * does unfinished when the answer is yes; who gave the deadline sees by `is_over` that something may be unfinished.
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
