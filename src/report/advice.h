/* SPDX-License-Identifier: MIT
 *
 * Why an exploration is not complete, and what to try next, as a user of `heddle run` is told.
 */
#ifndef HEDDLE_REPORT_ADVICE_H
#define HEDDLE_REPORT_ADVICE_H

#include "report/report.h"

const char *advice_reason(const struct summary *summary);
/* Appends nothing when there is nothing to say. */
void advice_append(struct text *text, const struct report *report, const struct summary *summary);

#endif
