/* SPDX-License-Identifier: MIT
 *
 * What the replays have in common that take a program as `heddle run` does: --inputs and --sequence.
 */
#ifndef HEDDLE_CLI_REPLAY_PROGRAM_H
#define HEDDLE_CLI_REPLAY_PROGRAM_H

#include "cli/settings.h"

#define STATUS_USAGE 2

/* Says what is wrong; STATUS_USAGE. */
int replay_complain(const struct error *error);
/* Takes NAME FILE or NAME=FILE out of the words, which have it; the others are as for `heddle run`. NULL or "": no
 * file. */
const char *replay_take_file(int *argc, char **argv, const char *name);

/* What to do with the program; returns a status. */
typedef int replay_use(void *context, const struct executor_settings *settings, const struct program *program);
/* Builds what the options name and completes the settings for it. */
int replay_program(struct options *options, struct explore_settings *settings, replay_use *use, void *context);

#endif
