/* SPDX-License-Identifier: MIT
 *
 * What strategy `auto` reports beyond what every strategy does: how far each of its parts came.
 */
#ifndef HEDDLE_REPORT_SHARES_H
#define HEDDLE_REPORT_SHARES_H

#include "report/report.h"

/* One line; nothing where there are no parts, where only the first had a turn, or where everything is known. */
void shares_print(const struct report *report, const struct summary *summary);
/* As a member of an object, with a comma before it; nothing for another strategy. */
void shares_append_json(struct text *json, const struct summary *summary);

#endif
