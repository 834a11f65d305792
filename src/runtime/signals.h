/* SPDX-License-Identifier: MIT
 *
 * Crashes, hangs, and the clock that looks for them.
 */
#ifndef HEDDLE_RUNTIME_SIGNALS_H
#define HEDDLE_RUNTIME_SIGNALS_H

#include "runtime.h"

void signals_install(void);
void signals_start_ticking(void);
void signals_expect_from_outside(void); /* they come from children, and are noted */
void signals_begin_child(void);         /* in a child that the program forked */

#endif
