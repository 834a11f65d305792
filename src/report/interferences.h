/* SPDX-License-Identifier: MIT
 *
 * What con2colic testing reports beyond what every strategy does: branches by the number of interferences they need,
 * and those that were not covered, with the reason where it is known.
 */
#ifndef HEDDLE_REPORT_INTERFERENCES_H
#define HEDDLE_REPORT_INTERFERENCES_H

#include "report/report.h"

/* What was explored when nothing is left; NULL: the strategy has not counted interferences. */
const char *interferences_explored(const struct summary *summary);
void interferences_print(const struct report *report, const struct summary *summary);
/* As a member of an object, with a comma before it; nothing for another strategy. */
void interferences_append_json(struct text *json, const struct report *report, const struct summary *summary);

#endif
