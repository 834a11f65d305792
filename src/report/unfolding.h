/* SPDX-License-Identifier: MIT
 *
 * --unfolding FILE: the structure that a strategy has explored, as a file.
 */
#ifndef HEDDLE_REPORT_UNFOLDING_H
#define HEDDLE_REPORT_UNFOLDING_H

#include "explore/unfolding/net.h"
#include "report/report.h"
#include "structure/structure.h"

/* What the name of the file asks for. */
bool unfolding_is_json(const char *file);
bool unfolding_is_dot(const char *file);

/* The executed events of a net, with names from the scene. */
void structure_make(struct structure *structure, const struct net *net, struct inputs *inputs,
                    const struct scene *scene);

/* The same of what was explored, with names from a run that is made for them. False: that run failed. */
bool unfolding_make(struct structure *structure, const struct report *report, const struct summary *summary,
                    struct error *error);

#endif
