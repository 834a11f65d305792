/* SPDX-License-Identifier: MIT
 *
 * Values that depend on inputs and were made concrete, in words.
 */
#ifndef HEDDLE_REPORT_CONCRETE_H
#define HEDDLE_REPORT_CONCRETE_H

#include "explore/loop/observer.h"
#include "program/program.h"

#include <stdio.h>

/* A row of pin_reasons.def. */
struct pin_reason_row {
  const char *kind, *words;
};
const struct pin_reason_row *pin_reason_row(enum pin_reason why);

/* The most frequent places, one line each. */
void concrete_print(FILE *stream, const struct program *program, const struct concretisation *items, size_t count);

#endif
