/* SPDX-License-Identifier: MIT */
#include "base/json_read.h"

#include <stdint.h>
#include <string.h>

struct json_reader json_read(const char *bytes, size_t count) {
  return (struct json_reader){.at = bytes, .end = bytes + count};
}

static bool fail(struct json_reader *json) {
  json->failed = true;
  return false;
}

static void skip_blanks(struct json_reader *json) {
  while (json->at < json->end && memchr(" \t\r\n", *json->at, 4)) json->at++;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char json_peek(struct json_reader *json) {
  if (json->failed) return 0;
  skip_blanks(json);
  if (json->at == json->end) return 0;
  const char c = *json->at;
  if (is_digit(c) || c == '-') return '0';
  return c >= 'a' && c <= 'z' ? 't' : c;
}

static bool take(struct json_reader *json, char wanted) {
  if (json_peek(json) != wanted) return fail(json);
  json->at++;
  return true;
}

bool json_enter(struct json_reader *json, char kind) {
  if (json->depth == JSON_DEPTH) return fail(json);
  if (!take(json, kind)) return false;
  json->first[json->depth++] = true;
  return true;
}

/* The comma before an item, or the end. */
static bool next(struct json_reader *json, char end) {
  if (json->failed) return false;
  bool *first = &json->first[json->depth - 1];
  if (json_peek(json) == end) {
    json->at++;
    json->depth--;
    return false;
  }
  if (!*first && !take(json, ',')) return false;
  *first = false;
  return json_peek(json) != 0 || fail(json);
}

bool json_next_item(struct json_reader *json) {
  return next(json, ']');
}

bool json_next_member(struct json_reader *json, struct text *name) {
  return next(json, '}') && json_read_string(json, name) && take(json, ':');
}

/* --- strings --- */

static bool read_hexadecimal(struct json_reader *json, uint32_t *code) {
  *code = 0;
  if (json->end - json->at < 4) return fail(json);
  for (int i = 0; i < 4; i++) {
    static const char digits[] = "0123456789abcdef";
    const char c = *json->at++, lower = c >= 'A' && c <= 'F' ? (char)(c + 'a' - 'A') : c;
    const char *digit = lower ? strchr(digits, lower) : NULL;
    if (!digit) return fail(json);
    *code = *code << 4 | (uint32_t)(digit - digits);
  }
  return true;
}

static void append_utf8(struct text *string, uint32_t code) {
  const char bytes[] = {(char)(0xf0 | code >> 18), (char)(0x80 | (code >> 12 & 0x3f)),
                        (char)(0x80 | (code >> 6 & 0x3f)), (char)(0x80 | (code & 0x3f))};
  const char two[] = {(char)(0xc0 | code >> 6), bytes[3]}, three[] = {(char)(0xe0 | code >> 12), bytes[2], bytes[3]};
  const char one = (char)code;
  if (code < 0x80)
    text_append_bytes(string, &one, 1);
  else if (code < 0x800)
    text_append_bytes(string, two, 2);
  else if (code < 0x10000)
    text_append_bytes(string, three, 3);
  else
    text_append_bytes(string, bytes, 4);
}

static bool read_code(struct json_reader *json, struct text *string) {
  uint32_t code, low;
  if (!read_hexadecimal(json, &code)) return false;
  if (code >= 0xd800 && code < 0xdc00) {
    if (json->end - json->at < 2 || json->at[0] != '\\' || json->at[1] != 'u') return fail(json);
    json->at += 2;
    if (!read_hexadecimal(json, &low)) return false;
    if (low < 0xdc00 || low > 0xdfff) return fail(json);
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  append_utf8(string, code);
  return true;
}

static bool read_escape(struct json_reader *json, struct text *string) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  if (json->at == json->end) return fail(json);
  const char letter = *json->at++;
  if (letter == 'u') return read_code(json, string);
  const char *found = letter ? strchr(letters, letter) : NULL;
  if (!found) return fail(json);
  text_append_bytes(string, &meanings[found - letters], 1);
  return true;
}

bool json_read_string(struct json_reader *json, struct text *string) {
  text_clear(string);
  if (!take(json, '"')) return false;
  while (json->at < json->end && *json->at != '"') {
    const char c = *json->at++;
    if ((unsigned char)c < 0x20) return fail(json);
    if (c != '\\')
      text_append_bytes(string, &c, 1);
    else if (!read_escape(json, string))
      return false;
  }
  if (json->at == json->end) return fail(json);
  json->at++;
  return true;
}

/* --- the rest --- */

bool json_read_number(struct json_reader *json, struct text *number) {
  text_clear(number);
  if (json_peek(json) != '0') return fail(json);
  const char *start = json->at;
  while (json->at < json->end && (is_digit(*json->at) || memchr("+-.eE", *json->at, 5))) json->at++;
  text_append_bytes(number, start, (size_t)(json->at - start));
  return true;
}

static void skip_word(struct json_reader *json) {
  static const char *const words[] = {"true", "false", "null"};
  for (size_t i = 0; i < 3; i++) {
    const size_t length = strlen(words[i]);
    if ((size_t)(json->end - json->at) < length || memcmp(json->at, words[i], length) != 0) continue;
    json->at += length;
    return;
  }
  fail(json);
}

void json_skip(struct json_reader *json) {
  struct text unused = {0};
  switch (json_peek(json)) {
  case '{':
    if (json_enter(json, '{'))
      while (json_next_member(json, &unused)) json_skip(json);
    break;
  case '[':
    if (json_enter(json, '['))
      while (json_next_item(json)) json_skip(json);
    break;
  case '"': json_read_string(json, &unused); break;
  case '0': json_read_number(json, &unused); break;
  case 't': skip_word(json); break;
  default: fail(json);
  }
  text_free(&unused);
}

bool json_ended_well(struct json_reader *json) {
  skip_blanks(json);
  return !json->failed && json->depth == 0 && json->at == json->end;
}
