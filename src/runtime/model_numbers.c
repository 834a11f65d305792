/* SPDX-License-Identifier: MIT
 *
 * Numbers in strings. The C library computes the value; where characters have terms, each decides what it is (space,
 * sign, digit, none), and the value becomes a term of the digits. Characters of other bases than ten are pinned, and so
 * are those of numbers that may be too large.
 */
#include "followed.h"

#include <stdlib.h>
#include <string.h>

#define SAFE_DIGITS 18 /* no number of so many is too large */

static void reads_string(const struct followed_call *call, const char *s) {
  if (__heddle_in_run) followed_reads(call, 0, s, strlen(s) + 1);
}

static void pin_string(const struct followed_call *call, const char *s) {
  for (; *s; s++) decide_pin(term_memory_load((uint64_t)s, 1), PIN_MODEL, call->site);
  decide_pin(term_memory_load((uint64_t)s, 1), PIN_MODEL, call->site);
}

static const char *skip_spaces(const struct followed_call *call, const char *s) {
  for (;; s++) {
    const struct followed_byte byte = followed_byte_at(s);
    if (!followed_is(byte, ' ', call->site) && !followed_is_between(byte, '\t', '\r', call->site)) return s;
  }
}

/* number * 10 + digit, of 64 bits. */
static uint32_t append_digit(uint32_t number, struct followed_byte digit) {
  if (!number && !digit.term) return 0;
  const uint32_t value =
      term_extend(TERM_ZERO_EXTEND, term_make(TERM_SUBTRACT, 8, 0, followed_term(digit), term_constant('0', 8), 0), 64);
  const uint32_t shifted = number ? term_make(TERM_MULTIPLY, 64, 0, number, term_constant(10, 64), 0) : 0;
  return number ? term_make(TERM_ADD, 64, 0, shifted, value, 0) : value;
}

/* The term of the decimal digits; those before the first with a term are a constant. */
static uint32_t follow_digits(const struct followed_call *call, const char *s) {
  uint32_t number = 0;
  uint64_t value = 0;
  for (unsigned count = 0;; s++, count++) {
    const struct followed_byte byte = followed_byte_at(s);
    if (!followed_is_between(byte, '0', '9', call->site)) return number;
    if (count == SAFE_DIGITS) {
      pin_string(call, s);
      return 0;
    }
    if (!number && byte.term && value) number = term_constant(value, 64);
    number = append_digit(number, byte);
    value = value * 10 + (uint64_t)(byte.value - '0');
  }
}

/* The term of the number at the start of the string, of 64 bits; 0 when it is concrete. */
static uint32_t follow_number(const struct followed_call *call, const char *s, int base) {
  if (!term_memory_has((uint64_t)s, strlen(s) + 1)) return 0;
  if (base != 10 && base != 0) {
    pin_string(call, s);
    return 0;
  }
  s = skip_spaces(call, s);
  struct followed_byte byte = followed_byte_at(s);
  const bool negative = followed_is(byte, '-', call->site);
  if (negative || followed_is(byte, '+', call->site)) byte = followed_byte_at(++s);
  if (base == 0 && followed_is(byte, '0', call->site)) {
    pin_string(call, s);
    return 0;
  }
  const uint32_t number = follow_digits(call, s);
  return negative && number ? term_make(TERM_SUBTRACT, 64, 0, term_constant(0, 64), number, 0) : number;
}

/* The value that the C library found is that of the term, or the term is none. */
static uint32_t checked(const struct followed_call *call, const char *s, uint32_t term, uint64_t value) {
  if (!term || term_value(term) == value) return term;
  pin_string(call, s);
  return 0;
}

static void before(struct followed_call *call, const char *s) {
  reads_string(call, s);
  decide_pin(call->terms[2], PIN_MODEL, call->site);
}

/* Where the number ends, when all else is done. */
static void tell_end(struct followed_call *call, char **end, char *place) {
  if (!end || !place) return; /* a base that does not exist: nothing is written */
  followed_writes(call, 1, end, sizeof *end);
  *end = place;
  term_memory_clear((uint64_t)end, sizeof *end);
}

#define STRING_TO_NUMBER(type, name)                                                                                   \
  FOLLOWED(type, name, (s, end, base), const char *s, char **end, int base) {                                          \
    char *place = NULL;                                                                                                \
    before(call, s);                                                                                                   \
    const uint32_t term = follow_number(call, s, base);                                                                \
    const type value = name(s, &place, base);                                                                          \
    call->result = checked(call, s, term, (uint64_t)value);                                                            \
    tell_end(call, end, place);                                                                                        \
    return value;                                                                                                      \
  }

STRING_TO_NUMBER(long, strtol)
STRING_TO_NUMBER(unsigned long, strtoul)
STRING_TO_NUMBER(long long, strtoll)
STRING_TO_NUMBER(unsigned long long, strtoull)

#define ASCII_TO_NUMBER(type, name)                                                                                    \
  FOLLOWED(type, name, (s), const char *s) {                                                                           \
    before(call, s);                                                                                                   \
    const uint32_t term = follow_number(call, s, 10);                                                                  \
    const long long value = strtoll(s, NULL, 10);                                                                      \
    call->result = term_resize(checked(call, s, term, (uint64_t)value), 8 * sizeof(type));                             \
    return name(s);                                                                                                    \
  }

ASCII_TO_NUMBER(int, atoi)
ASCII_TO_NUMBER(long, atol)
ASCII_TO_NUMBER(long long, atoll)
