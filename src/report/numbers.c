/* SPDX-License-Identifier: MIT */
#include "report/numbers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static wide_value mask_of(unsigned width) {
  return width < 128 ? ((wide_value)1 << width) - 1 : ~(wide_value)0;
}

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const int letter = tolower((unsigned char)c);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 99;
}

/* Digits up to the end or a suffix of C. */
static bool parse_digits(const char *text, int base, wide_value *value) {
  const char *start = text;
  *value = 0;
  for (; digit_of(*text) < base; text++) {
    const wide_value digit = (wide_value)digit_of(*text);
    if (*value > (~(wide_value)0 - digit) / (wide_value)base) return false;
    *value = *value * (wide_value)base + digit;
  }
  return text > start && text[strspn(text, "uUlL")] == 0;
}

static bool is_hexadecimal(const char *text) {
  return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

static bool parse_integer(const char *text, unsigned width, wide_value *value) {
  const bool negative = *text == '-';
  if (*text == '-' || *text == '+') text++;
  const bool hexadecimal = is_hexadecimal(text);
  if (!parse_digits(hexadecimal ? text + 2 : text, hexadecimal ? 16 : 10, value)) return false;
  const wide_value most = negative ? (wide_value)1 << (width - 1) : mask_of(width);
  if (*value > most) return false;
  if (negative) *value = -*value & mask_of(width);
  return true;
}

static bool parse_character(const char *text, wide_value *value) {
  if (strlen(text) != 3 || text[0] != '\'' || text[2] != '\'') return false;
  *value = (unsigned char)text[1];
  return true;
}

static bool parse_word(const char *text, wide_value *value) {
  *value = strcmp(text, "true") == 0;
  return *value || strcmp(text, "false") == 0;
}

static bool parse_floating(const char *text, unsigned width, wide_value *value) {
  if (is_hexadecimal(text) && !strpbrk(text, ".pP")) return parse_integer(text, width, value);
  char *end;
  const double number = strtod(text, &end);
  const float narrow = (float)number;
  *value = 0;
  memcpy(value, width == 32 ? (const void *)&narrow : (const void *)&number,
         width == 32 ? sizeof narrow : sizeof number);
  return end != text && end[strspn(end, "fFlL")] == 0;
}

bool number_parse(const char *text, const struct input_record *record, wide_value *value) {
  if ((record->type == INPUT_FLOAT && record->width == 32) || (record->type == INPUT_DOUBLE && record->width == 64))
    return parse_floating(text, record->width, value);
  if (parse_integer(text, record->width, value)) return true;
  return (parse_character(text, value) || parse_word(text, value)) && *value <= mask_of(record->width);
}
