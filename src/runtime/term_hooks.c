/* SPDX-License-Identifier: MIT
 *
 * The hooks with which instrumented code makes terms. An operand without a term is the constant its value says. The
 * functions are pure for the optimiser: it may leave calls out, and put equal ones together.
 */
#include "cold_hooks.h"
#include "intrinsics.h"

static unsigned kind_in(uint64_t code) {
  return code & 0xff;
}

static unsigned width_in(uint64_t code) {
  return code >> 8 & 0xff;
}

static bits whole(uint64_t low, uint64_t high) {
  return (bits)high << 64 | low;
}

/* A width that does not fit says that the instrumenter and the runtime do not agree. */
static uint32_t operand(uint32_t term, bits value, unsigned width) {
  if (!term) return term_constant(value, width);
  if (term <= the_log->n_terms && term_width(term) == width) return term;
  term_mismatch(0);
  return 0;
}

static uint32_t binary(uint64_t code, uint32_t a, bits a_value, uint32_t b, bits b_value) {
  const unsigned width = width_in(code);
  if (!terms_on() || !(a | b)) return 0;
  return term_make(kind_in(code), width, 0, operand(a, a_value, width), operand(b, b_value, width), 0);
}

static uint32_t compare(uint64_t code, uint32_t a, bits a_value, uint32_t b, bits b_value) {
  const unsigned width = width_in(code);
  if (!terms_on() || !(a | b)) return 0;
  return term_is(kind_in(code), operand(a, a_value, width), operand(b, b_value, width));
}

static uint32_t select(uint64_t code, uint32_t c, uint32_t a, bits a_value, uint32_t b, bits b_value) {
  const unsigned width = width_in(code);
  if (!terms_on() || !c) return 0;
  return term_make(TERM_IF, width, 0, operand(c, 0, 1), operand(a, a_value, width), operand(b, b_value, width));
}

static uint32_t intrinsic(uint64_t code, uint32_t a, bits a_value, uint32_t b, bits b_value, uint32_t c, bits c_value) {
  const unsigned width = width_in(code);
  if (!terms_on() || !(a | b | c)) return 0;
  return intrinsic_make(kind_in(code), width, operand(a, a_value, width), operand(b, b_value, width),
                        operand(c, c_value, width));
}

uint32_t __heddle_term_binary(uint64_t code, uint32_t a, uint64_t a_value, uint32_t b, uint64_t b_value) {
  return binary(code, a, a_value, b, b_value);
}

uint32_t __heddle_term_binary_wide(uint64_t code, uint32_t a, uint64_t a_low, uint64_t a_high, uint32_t b,
                                   uint64_t b_low, uint64_t b_high) {
  return binary(code, a, whole(a_low, a_high), b, whole(b_low, b_high));
}

uint32_t __heddle_term_cast(uint64_t code, uint32_t a) {
  if (!terms_on() || !a) return 0;
  if (kind_in(code) == TERM_EXTRACT) return term_extract(a, code >> 16 & 0xff, width_in(code));
  return term_extend(kind_in(code), a, width_in(code));
}

uint32_t __heddle_term_compare(uint64_t code, uint32_t a, uint64_t a_value, uint32_t b, uint64_t b_value) {
  return compare(code, a, a_value, b, b_value);
}

uint32_t __heddle_term_compare_wide(uint64_t code, uint32_t a, uint64_t a_low, uint64_t a_high, uint32_t b,
                                    uint64_t b_low, uint64_t b_high) {
  return compare(code, a, whole(a_low, a_high), b, whole(b_low, b_high));
}

uint32_t __heddle_term_select(uint64_t code, uint32_t c, uint32_t a, uint64_t a_value, uint32_t b, uint64_t b_value) {
  return select(code, c, a, a_value, b, b_value);
}

uint32_t __heddle_term_select_wide(uint64_t code, uint32_t c, uint32_t a, uint64_t a_low, uint64_t a_high, uint32_t b,
                                   uint64_t b_low, uint64_t b_high) {
  return select(code, c, a, whole(a_low, a_high), b, whole(b_low, b_high));
}

uint32_t __heddle_term_intrinsic(uint64_t code, uint32_t a, uint64_t a_value, uint32_t b, uint64_t b_value, uint32_t c,
                                 uint64_t c_value) {
  return intrinsic(code, a, a_value, b, b_value, c, c_value);
}

uint32_t __heddle_term_intrinsic_wide(uint64_t code, uint32_t a, uint64_t a_low, uint64_t a_high, uint32_t b,
                                      uint64_t b_low, uint64_t b_high, uint32_t c, uint64_t c_low, uint64_t c_high) {
  return intrinsic(code, a, whole(a_low, a_high), b, whole(b_low, b_high), c, whole(c_low, c_high));
}
