/* SPDX-License-Identifier: MIT
 *
 * The written form of what heddle keeps for itself (saved states): numbers of one byte or more, texts with their length
 * first, structs as they lie in memory. Who reads trusts nothing: every function stays inside the bytes there are and
 * within the limit it is given. After the first thing that is wrong all others give 0, and `failed` says so: it is
 * enough to look at that in the end, and before numbers are used as places.
 */
#ifndef HEDDLE_BASE_WRITTEN_H
#define HEDDLE_BASE_WRITTEN_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

void written_add_number(struct text *text, uint64_t number);
void written_add_double(struct text *text, double number);
/* As they are: the reader knows how many. */
void written_add_bytes(struct text *text, const void *bytes, size_t count);
/* With their count in front. */
void written_add_text(struct text *text, const char *bytes, size_t count);

/* What is left to be read. It points into bytes of somebody else's. */
struct written {
  const char *at, *end;
  bool failed;
};

uint64_t written_take_number(struct written *written);
/* A number below the limit. */
uint64_t written_take_below(struct written *written, uint64_t limit);
bool written_take_bool(struct written *written);
double written_take_double(struct written *written);
/* How many things follow, each of at least so many bytes: so many can be there. */
size_t written_take_count(struct written *written, size_t least_bytes);
bool written_take_bytes(struct written *written, void *bytes, size_t count);
/* Text of which *count is the length; it does not end with a zero byte. */
const char *written_take_text(struct written *written, size_t *count);
/* Says that what was read cannot be; returns false. */
bool written_refuse(struct written *written);
/* Was all of it read, and nothing wrong? */
bool written_is_over(const struct written *written);

#endif
