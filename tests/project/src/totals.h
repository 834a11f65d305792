/* SPDX-License-Identifier: MIT
 *
 * How many lines of each severity there were. Threads count for themselves; what a thread counted is added to the
 * totals when it ends.
 */
#ifndef TALLY_TOTALS_H
#define TALLY_TOTALS_H

#include "parser.h"

void totals_initialise(void);
void totals_count(enum severity severity);
long totals_of(enum severity severity); /* of threads that have ended */

#endif
