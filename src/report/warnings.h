/* SPDX-License-Identifier: MIT
 *
 * Warnings of the runtime (abi/warnings.def) as text and as JSON.
 */
#ifndef HEDDLE_REPORT_WARNINGS_H
#define HEDDLE_REPORT_WARNINGS_H

#include "abi/channel.h"
#include "base/memory.h"
#include "base/text.h"
#include "program/program.h"

/* Where the names come from. */
struct warning_scene {
  const struct program *program;
  const struct knowledge *knowledge;
};

/* A warning and its two places in the source. */
struct told_warning {
  struct warning warning;
  struct place place, other;
};
typedef VECTOR(struct told_warning) warning_list;

/* All there are, by kind and place. */
void warnings_list(warning_list *list, const struct program *program, const struct knowledge *knowledge);
/* One sentence. */
void warning_describe(struct text *text, const struct warning_scene *scene, const struct told_warning *told);
/* The same for a terminal: each place stands on a line of its own. */
void warning_describe_in_lines(struct text *text, const struct warning_scene *scene, const struct told_warning *told);
/* The name of what it is about; nothing when there is none. */
void warning_append_variable(struct text *text, const struct warning_scene *scene, const struct told_warning *told);
/* One JSON object. */
void warning_append_json(struct text *json, const struct warning_scene *scene, const struct told_warning *told);

#endif
