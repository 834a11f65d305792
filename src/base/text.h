/* SPDX-License-Identifier: MIT
 *
 * A growing string. A zeroed struct text is the empty string with `string` NULL; text_string gives "" for it.
 */
#ifndef HEDDLE_BASE_TEXT_H
#define HEDDLE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
  char *string; /* zero-terminated; owned */
  size_t length, capacity;
};

void text_append(struct text *text, const char *string);
void text_append_bytes(struct text *text, const void *bytes, size_t count);
void text_append_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* As a word of a shell: quoted if it has to be. */
void text_append_word(struct text *text, const char *word);
bool string_ends_with(const char *string, const char *end);
const char *text_string(const struct text *text);
void text_clear(struct text *text);
void text_free(struct text *text);

#endif
