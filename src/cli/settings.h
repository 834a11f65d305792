/* SPDX-License-Identifier: MIT
 *
 * From the options of `heddle run` to the settings of an exploration.
 */
#ifndef HEDDLE_CLI_SETTINGS_H
#define HEDDLE_CLI_SETTINGS_H

#include "cli/options.h"
#include "explore/loop/explore.h"
#include "program/program.h"

/* All but the executable, its arguments, its coverage, and who interrupts. With a `strategy`, of all options of
 * strategies only its own count; NULL: the options choose one, and those of others are refused. Good or not,
 * settings_free() is called afterwards. */
bool settings_make(struct explore_settings *settings, const struct options *options, const struct strategy *strategy,
                   struct error *error);
/* Whether inputs come that the program does not ask for: by options, or because reads are symbols. Then its code must
 * follow inputs (abi/kept.h). */
bool settings_bring_inputs(const struct explore_settings *settings);
/* False with an error if they do, and the program does not. */
bool settings_check_program(const struct explore_settings *settings, const struct program *program,
                            struct error *error);
void settings_free(struct explore_settings *settings);

#endif
