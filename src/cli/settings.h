/* SPDX-License-Identifier: MIT
 *
 * From the options of `heddle run` to the settings of an exploration.
 */
#ifndef HEDDLE_CLI_SETTINGS_H
#define HEDDLE_CLI_SETTINGS_H

#include "cli/options.h"
#include "explore/loop/explore.h"

/* All but the executable, its arguments, its coverage, and who interrupts. */
bool settings_make(struct explore_settings *settings, const struct options *options, struct error *error);

#endif
