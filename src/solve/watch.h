/* SPDX-License-Identifier: MIT
 *
 * For src/solve alone: work in a library that cannot check a deadline is interrupted by a thread that does. The
 * thread lives from the first question to the end; between questions it sleeps.
 */
#ifndef HEDDLE_SOLVE_WATCH_H
#define HEDDLE_SOLVE_WATCH_H

#include "base/deadline.h"

struct watch;

/* `interrupt` is called, again and again, on another thread while a question is asked and the deadline is over. */
struct watch *watch_create(const struct deadline *deadline, void (*interrupt)(void *context));
void watch_destroy(struct watch *watch);

void watch_begin(struct watch *watch, void *context);
/* When it returns, nobody is interrupting. */
void watch_end(struct watch *watch);

#endif
