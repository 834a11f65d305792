/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct text *text, size_t more) {
  const size_t needed = text->length + more + 1;
  if (needed <= text->capacity) return;
  text->capacity = needed < 2 * text->capacity ? 2 * text->capacity : needed;
  text->string = memory_resize(text->string, text->capacity);
}

void text_append_bytes(struct text *text, const void *bytes, size_t count) {
  reserve(text, count);
  if (count) memcpy(text->string + text->length, bytes, count);
  text->length += count;
  text->string[text->length] = 0;
}

void text_append(struct text *text, const char *string) {
  text_append_bytes(text, string, strlen(string));
}

void text_append_format(struct text *text, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  reserve(text, (size_t)length);
  vsnprintf(text->string + text->length, (size_t)length + 1, format, again);
  va_end(again);
  text->length += (size_t)length;
}

void text_append_word(struct text *text, const char *word) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./,:=+@%^";
  if (*word && strspn(word, plain) == strlen(word)) return text_append(text, word);
  text_append(text, "'");
  for (; *word; word++)
    if (*word == '\'')
      text_append(text, "'\\''");
    else
      text_append_bytes(text, word, 1);
  text_append(text, "'");
}

bool string_ends_with(const char *string, const char *end) {
  const size_t length = strlen(string), wanted = strlen(end);
  return length >= wanted && strcmp(string + length - wanted, end) == 0;
}

const char *text_string(const struct text *text) {
  return text->string ? text->string : "";
}

void text_clear(struct text *text) {
  text->length = 0;
  if (text->string) text->string[0] = 0;
}

void text_free(struct text *text) {
  free(text->string);
  *text = (struct text){0};
}
