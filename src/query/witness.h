/* SPDX-License-Identifier: MIT
 *
 * From a configuration of an unfolding to a run that begins with it.
 */
#ifndef HEDDLE_QUERY_WITNESS_H
#define HEDDLE_QUERY_WITNESS_H

#include "explore/loop/findings.h"
#include "query/configuration.h"

/* The program that a structure is about: where it is, checked to be the one the structure was made of; the settings are
 * those of the structure, and point into it and into `path`. */
struct witness_program {
  char *path;
  struct program *program;
  struct executor_settings settings;
};

/* `file` is the path of the structure's file. */
bool witness_open_program(struct witness_program *program, const struct structure *structure, const char *file,
                          struct error *error);
void witness_close_program(struct witness_program *program);

/* How many steps of the schedule the configuration has. */
uint32_t witness_steps(const struct structure *structure, const struct configuration *configuration);
/* Runs the configuration, and then continues to the end of the program. NULL: it cannot be run. The caller frees it
 * with finding_free. */
struct finding *witness_run(const struct structure *structure, const struct configuration *configuration,
                            const struct witness_program *program, struct error *error);

#endif
