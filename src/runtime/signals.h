/* SPDX-License-Identifier: MIT
 *
 * Crashes, hangs, and the clock that looks for them.
 */
#ifndef HEDDLE_RUNTIME_SIGNALS_H
#define HEDDLE_RUNTIME_SIGNALS_H

#include "runtime.h"

void signals_install(void);
void signals_start_ticking(void);

#endif
