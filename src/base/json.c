/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <stdbool.h>
#include <string.h>

/* How many bytes the UTF-8 character at `bytes` has; 0 if it is none. */
static size_t character_bytes(const unsigned char *bytes, size_t count) {
  const unsigned char first = bytes[0];
  const size_t length = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
  if (length == 0 || length > count) return 0;
  for (size_t i = 1; i < length; i++)
    if ((bytes[i] & 0xc0) != 0x80) return 0;
  const bool overlong = (first == 0xe0 && bytes[1] < 0xa0) || (first == 0xf0 && bytes[1] < 0x90);
  const bool outside = (first == 0xed && bytes[1] >= 0xa0) || (first == 0xf4 && bytes[1] >= 0x90);
  return overlong || outside ? 0 : length;
}

static void append_character(struct text *json, const char *bytes, size_t length) {
  const unsigned char first = (unsigned char)bytes[0];
  if (first == '"' || first == '\\')
    text_append_format(json, "\\%c", first);
  else if (first == '\n')
    text_append(json, "\\n");
  else if (first == '\t')
    text_append(json, "\\t");
  else if (first < 0x20)
    text_append_format(json, "\\u%04x", first);
  else
    text_append_bytes(json, bytes, length);
}

void json_append_bytes(struct text *json, const char *bytes, size_t count) {
  text_append(json, "\"");
  for (size_t i = 0; i < count;) {
    const size_t length = character_bytes((const unsigned char *)bytes + i, count - i);
    if (length == 0)
      text_append(json, "\\ufffd");
    else
      append_character(json, bytes + i, length);
    i += length ? length : 1;
  }
  text_append(json, "\"");
}

void json_append_string(struct text *json, const char *string) {
  json_append_bytes(json, string, strlen(string));
}
