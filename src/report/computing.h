/* SPDX-License-Identifier: MIT
 *
 * Where a run was when it was cut short because it computed for too long: the thread and its calls.
 */
#ifndef HEDDLE_REPORT_COMPUTING_H
#define HEDDLE_REPORT_COMPUTING_H

#include "report/report.h"

/* Nothing when no run was. */
void computing_print(FILE *stream, const struct report *report, const struct summary *summary);
/* A member of the result; null when no run was. */
void computing_append_json(struct text *json, const struct report *report, const struct summary *summary);

#endif
