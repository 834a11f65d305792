/* SPDX-License-Identifier: MIT
 *
 * Formats of printf and scanf, as far as they say which memory is read and written. Arguments with numbers (%1$s) are
 * not understood.
 */
#include "effects.h"

#include <stddef.h>
#include <string.h>
#include <wchar.h>

#define GENERAL_BYTES 48
#define VECTOR_END 176

/* ---- arguments ---- */

static uint64_t next_word(struct argument_list *list) {
  uint64_t word;
  if (list->general_offset < GENERAL_BYTES) {
    memcpy(&word, list->saved + list->general_offset, sizeof word);
    list->general_offset += 8;
    return word;
  }
  memcpy(&word, list->overflow, sizeof word);
  list->overflow += 8;
  return word;
}

static void skip_double(struct argument_list *list) {
  if (list->vector_offset < VECTOR_END)
    list->vector_offset += 16;
  else
    list->overflow += 8;
}

static void skip_long_double(struct argument_list *list) {
  list->overflow = (char *)(((uint64_t)list->overflow + 15) & ~15ull) + 16;
}

struct argument_list format_unnamed(const struct effect_call *call, unsigned named) {
  return (struct argument_list){named * 8, GENERAL_BYTES, (char *)call->stack, (char *)call->general};
}

/* ---- pieces of a format ---- */

enum length { PLAIN_LENGTH, CHAR_LENGTH, SHORT_LENGTH, LONG_LENGTH, LONG_DOUBLE_LENGTH };

static enum length take_length(const char **format) {
  const char first = **format;
  if (!first || !strchr("hlqLjzZt", first)) return PLAIN_LENGTH;
  (*format)++;
  const bool twice = **format == first && (first == 'h' || first == 'l');
  if (twice) (*format)++;
  if (first == 'h') return twice ? CHAR_LENGTH : SHORT_LENGTH;
  return first == 'L' || (twice && first == 'l') || first == 'q' ? LONG_DOUBLE_LENGTH : LONG_LENGTH;
}

static uint64_t integer_bytes(enum length length) {
  static const uint64_t bytes[] = {sizeof(int), sizeof(char), sizeof(short), sizeof(long), sizeof(long long)};
  return bytes[length];
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* -1: there is none. */
static long take_number(const char **format, struct argument_list *list) {
  long number = 0;
  if (list && **format == '*') {
    (*format)++;
    return (int)next_word(list);
  }
  if (!is_digit(**format)) return -1;
  for (; is_digit(**format); (*format)++)
    if (number < 1000000000) number = number * 10 + (**format - '0');
  return number;
}

/* To the place after the next %; false at the end. */
static bool find_conversion(const char **format) {
  for (; **format; (*format)++) {
    if (**format != '%') continue;
    (*format)++;
    if (**format != '%') return **format != 0;
  }
  return false;
}

/* ---- printf ---- */

#define MOST_OF_NUMBER 512       /* without its width and precision: digits, signs, grouping */
#define MOST_OF_LONG_DOUBLE 8192 /* 4933 digits before the point */

static uint64_t magnitude(long number) {
  return (uint64_t)(number < 0 ? -number : number);
}

static bool take_printed(char letter, enum length length, long precision, struct argument_list *list,
                         struct conversion *conversion) {
  if (letter == 'm') return true;
  if (strchr("aAeEfFgG", letter)) {
    if (length == LONG_DOUBLE_LENGTH)
      skip_long_double(list);
    else
      skip_double(list);
    conversion->most_printed += length == LONG_DOUBLE_LENGTH ? MOST_OF_LONG_DOUBLE : 0;
    return true;
  }
  if (!strchr("diouxXcCsSpnbB", letter)) return false;
  conversion->pointer = next_word(list);
  if (letter == 'n') conversion->kind = FORMAT_COUNT;
  conversion->bytes = integer_bytes(length);
  if (letter != 's' && letter != 'S') return true;
  conversion->kind = letter == 'S' || length >= LONG_LENGTH ? FORMAT_WIDE_STRING : FORMAT_STRING;
  conversion->bytes = precision < 0 ? UINT64_MAX : (uint64_t)precision;
  return true;
}

bool format_next_printed(const char **format, struct argument_list *list, struct conversion *conversion,
                         bool *unknown) {
  *conversion = (struct conversion){0};
  if (!find_conversion(format)) return false;
  *format += strspn(*format, "#0- +'I");
  const long width = take_number(format, list);
  long precision = -1;
  if (**format == '.') {
    (*format)++;
    precision = take_number(format, list);
    if (precision < 0 && (*format)[-1] == '.') precision = 0;
  }
  conversion->most_printed = MOST_OF_NUMBER + magnitude(width) + magnitude(precision);
  const enum length length = take_length(format);
  const char letter = **format;
  if (!letter || !take_printed(letter, length, precision, list, conversion)) {
    *unknown = true;
    return false;
  }
  (*format)++;
  return true;
}

/* ---- scanf ---- */

/* To the place after the closing bracket of a set. */
static void skip_set(const char **format) {
  if (**format == '^') (*format)++;
  if (**format == ']') (*format)++;
  while (**format && **format != ']') (*format)++;
  if (**format) (*format)++;
}

static uint64_t float_bytes(enum length length) {
  if (length == LONG_DOUBLE_LENGTH) return 10; /* the padding is not written */
  return length == LONG_LENGTH ? sizeof(double) : sizeof(float);
}

/* What a conversion of characters writes: so many of them, and a zero. */
static void describe_characters(struct conversion *conversion, char letter, bool wide, long width) {
  conversion->kind = wide ? FORMAT_WIDE_STRING : FORMAT_STRING;
  conversion->terminated = letter != 'c' && letter != 'C';
  if (width >= 0)
    conversion->bytes = (uint64_t)width;
  else
    conversion->bytes = conversion->terminated ? UINT64_MAX : 1;
}

static bool describe_scanned(struct conversion *conversion, char letter, enum length length, long width) {
  conversion->kind = letter == 'n' ? FORMAT_COUNT : FORMAT_VALUE;
  conversion->counts = letter != 'n';
  if (strchr("aAeEfFgG", letter))
    conversion->bytes = float_bytes(length);
  else if (letter == 'p')
    conversion->bytes = sizeof(void *);
  else if (strchr("diouxXn", letter))
    conversion->bytes = integer_bytes(length);
  else if (strchr("sc[SC", letter))
    describe_characters(conversion, letter, length >= LONG_LENGTH || letter == 'S' || letter == 'C', width);
  else
    return false;
  return true;
}

bool format_next_scanned(const char **format, struct argument_list *list, struct conversion *conversion,
                         bool *unknown) {
  *conversion = (struct conversion){0};
  if (!find_conversion(format)) return false;
  const bool dropped = **format == '*';
  if (dropped) (*format)++;
  if (**format == '\'') (*format)++;
  const long width = take_number(format, NULL);
  const bool allocates = **format == 'm';
  if (allocates) (*format)++;
  const enum length length = take_length(format);
  const char letter = **format;
  if (!letter || !describe_scanned(conversion, letter, length, width)) {
    *unknown = true;
    return false;
  }
  (*format)++;
  if (letter == '[') skip_set(format);
  if (dropped) {
    *conversion = (struct conversion){0};
    return true;
  }
  conversion->pointer = next_word(list);
  if (!allocates) return true;
  conversion->kind = FORMAT_VALUE;
  conversion->bytes = sizeof(char *);
  return true;
}
