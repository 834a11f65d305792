/* SPDX-License-Identifier: MIT
 *
 * Reading JSON piece by piece. If something is not as asked for, the reader has failed: every further call does
 * nothing, so the caller needs to check only at the end.
 *
 *     if (json_enter(&json, '{'))
 *       while (json_next_member(&json, &name))
 *         if (strcmp(text_string(&name), "x") == 0) json_read_number(&json, &number);
 *         else json_skip(&json);
 */
#ifndef HEDDLE_BASE_JSON_READ_H
#define HEDDLE_BASE_JSON_READ_H

#include "base/text.h"

#include <stdbool.h>

#define JSON_DEPTH 64

struct json_reader {
  const char *at, *end;
  bool failed;
  bool first[JSON_DEPTH]; /* no member of the object or array at this depth has been read */
  unsigned depth;
};

struct json_reader json_read(const char *bytes, size_t count);
/* What comes next: '{', '[', '"', '0' for a number, 't' for a word (true, false, null); 0 at the end or after a
 * failure.
 */
char json_peek(struct json_reader *json);
/* An object or array begins: '{' or '['. */
bool json_enter(struct json_reader *json, char kind);
/* The next member, with its name; false when the object is over. */
bool json_next_member(struct json_reader *json, struct text *name);
/* The next item; false when the array is over. */
bool json_next_item(struct json_reader *json);
/* Replace what is in the text. A string's \u escapes become UTF-8; a number stays as it is written. */
bool json_read_string(struct json_reader *json, struct text *string);
bool json_read_number(struct json_reader *json, struct text *number);
/* A value of any kind. */
void json_skip(struct json_reader *json);
/* Nothing failed, and only white space is left. */
bool json_ended_well(struct json_reader *json);

#endif
