/* SPDX-License-Identifier: MIT
 *
 * Which variables of the environment a bug may depend on: those whose names stand in the program as strings. Only they
 * are kept with a bug, and repeated; an environment has secrets, and bug directories are passed on.
 */
#ifndef HEDDLE_REPORT_ENVIRONMENT_H
#define HEDDLE_REPORT_ENVIRONMENT_H

#include "base/error.h"
#include "base/memory.h"

typedef VECTOR(char *) environment_list;

/* NAME=VALUE for each that is set. */
bool environment_list_named(environment_list *list, const char *program, struct error *error);
/* The variables that the program names become those of the list; for this process and those it starts. */
bool environment_restore(const environment_list *list, const char *program, struct error *error);
void environment_free(environment_list *list);

#endif
