/* SPDX-License-Identifier: MIT
 *
 * What is known about each kind of finding and warning (kinds.def).
 */
#ifndef HEDDLE_REPORT_KINDS_H
#define HEDDLE_REPORT_KINDS_H

#include <stddef.h>

enum kind_level { LEVEL_ERROR, LEVEL_WARNING, LEVEL_NOTE };

struct kind {
  const char *name;
  enum kind_level level;
  const char *title, *weaknesses, *meaning, *example, *repair;
};

/* NULL after the last. */
const struct kind *kind_at(size_t i);
/* NULL: there is none of that name. */
const struct kind *kind_named(const char *name);
size_t kind_index(const char *name); /* of one that exists */

#endif
