/* SPDX-License-Identifier: MIT
 *
 * The directory in which the bugs of one program are kept, bug-1, bug-2, ... Any number of heddles may use it at once:
 * a number is taken by making its directory, the bug is written aside and put in place when it is whole, and only a
 * heddle that is alone there removes what earlier ones left.
 */
#ifndef HEDDLE_REPORT_BUNDLE_PLACE_H
#define HEDDLE_REPORT_BUNDLE_PLACE_H

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>

struct bundle_place {
  char *directory;
  int lock;               /* the directory, open and locked: others see that it is in use; -1 = not yet */
  VECTOR(char *) numbers; /* the bug directory of every finding by its number, NULL = none yet */
};

/* Makes nothing: a directory that cannot be written matters only when there is a bug. */
void bundle_place_open(struct bundle_place *place, char *directory);
/* The directory of the finding with this number, and in *aside where to write it first. */
bool bundle_place_take(struct bundle_place *place, uint32_t number, char **aside, struct error *error);
bool bundle_place_put(const struct bundle_place *place, uint32_t number, const char *aside, struct error *error);
/* NULL: it is not kept. */
const char *bundle_place_of(const struct bundle_place *place, uint32_t number);
void bundle_place_drop(struct bundle_place *place, uint32_t number, const char *aside);
void bundle_place_close(struct bundle_place *place);

#endif
