/* SPDX-License-Identifier: MIT
 *
 * Making a finding simpler: the same bug with fewer context switches, then with fewer steps, then with inputs that are
 * 0 or small.
 */
#ifndef HEDDLE_EXPLORE_LOOP_MINIMISE_H
#define HEDDLE_EXPLORE_LOOP_MINIMISE_H

#include "explore/loop/findings.h"

/* Replaces schedule, inputs, trace and output by those of the simplest run that at most `max_runs` tried runs found.
 * What is found depends on nothing but the finding and max_runs, unless the settings' deadline is over before. */
void finding_minimise(struct finding *finding, const struct executor_settings *settings, uint32_t max_runs);

#endif
