/* SPDX-License-Identifier: MIT
 *
 * Writing JSON into a text. The caller writes braces, commas and numbers; this does what is easy to get wrong.
 */
#ifndef HEDDLE_BASE_JSON_H
#define HEDDLE_BASE_JSON_H

#include "base/text.h"

/* The string in quotes. Bytes that are not UTF-8 become U+FFFD. */
void json_append_string(struct text *json, const char *string);
void json_append_bytes(struct text *json, const char *bytes, size_t count);

#endif
