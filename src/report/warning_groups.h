/* SPDX-License-Identifier: MIT
 *
 * Warnings for a terminal. Pairs of places with the same data race are one warning: in code without locks a variable
 * may have dozens of them.
 */
#ifndef HEDDLE_REPORT_WARNING_GROUPS_H
#define HEDDLE_REPORT_WARNING_GROUPS_H

#include "report/warnings.h"

#include <stdio.h>

void warning_groups_print(FILE *stream, const struct warning_scene *scene, const warning_list *list);

#endif
