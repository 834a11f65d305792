/* SPDX-License-Identifier: MIT
 *
 * Simplification: local rules on a term whose operands are simple already. Each rule holds for every value of the
 * inputs (tests/unit/expr.c checks all of them against brute force); what they aim at is that the comparisons programs
 * make end up as "input compared with constant", which the cheap solver stages can decide.
 *
 * Terms of one bit are truth values: XOR with 1 is "not".
 */
#include "expr/internal.h"

static bool constant(const struct terms *terms, term_id id, bits *value) {
  return term_is_constant(terms, id, value);
}

static unsigned width_of(const struct terms *terms, term_id id) {
  return node(terms, id)->width;
}

static enum term_operator kind_of(const struct terms *terms, term_id id) {
  return node(terms, id)->kind;
}

static term_id operand(const struct terms *terms, term_id id, unsigned i) {
  return node(terms, id)->operands[i];
}

/* --- constants --- */

static term_id fold(struct terms *terms, const struct term *term) {
  unsigned widths[3] = {0};
  bits values[3] = {0};
  for (unsigned i = 0; i < term_operator_operands(term->kind); i++) {
    if (!constant(terms, term->operands[i], &values[i])) return 0;
    widths[i] = width_of(terms, term->operands[i]);
  }
  return term_constant(terms, term->width, term_operator_apply(term, widths, values));
}

/* --- arithmetic --- */

/* (x op c) op d = x op (c op d), for an associative operator with its constant to the right. */
static term_id reassociate(struct terms *terms, const struct term *term) {
  const term_id a = term->operands[0], b = term->operands[1];
  if (!constant(terms, b, NULL) || kind_of(terms, a) != term->kind) return 0;
  const term_id inner = operand(terms, a, 1);
  if (!constant(terms, inner, NULL)) return 0;
  const term_id folded = term_make(terms, term->kind, inner, b, 0);
  return term_make(terms, term->kind, operand(terms, a, 0), folded, 0);
}

static term_id simplify_add(struct terms *terms, const struct term *term) {
  bits value;
  if (constant(terms, term->operands[1], &value) && value == 0) return term->operands[0];
  return reassociate(terms, term);
}

/* a - c = a + -c, so that one rule serves both. */
static term_id simplify_subtract(struct terms *terms, const struct term *term) {
  bits value;
  if (term->operands[0] == term->operands[1]) return term_constant(terms, term->width, 0);
  if (!constant(terms, term->operands[1], &value)) return 0;
  return term_make(terms, TERM_ADD, term->operands[0], term_constant(terms, term->width, -value), 0);
}

static bool is_power_of_two(bits value, unsigned *exponent) {
  if (value == 0 || value & (value - 1)) return false;
  for (*exponent = 0; !(value & 1); value >>= 1) ++*exponent;
  return true;
}

static term_id simplify_multiply(struct terms *terms, const struct term *term) {
  bits value;
  unsigned exponent;
  if (!constant(terms, term->operands[1], &value)) return 0;
  if (value == 0) return term->operands[1];
  if (value == 1) return term->operands[0];
  if (is_power_of_two(value, &exponent))
    return term_make(terms, TERM_SHIFT_LEFT, term->operands[0], term_constant(terms, term->width, exponent), 0);
  return reassociate(terms, term);
}

static term_id simplify_divide(struct terms *terms, const struct term *term) {
  bits value;
  unsigned exponent;
  if (!constant(terms, term->operands[1], &value)) return 0;
  if (value == 1) return term->operands[0];
  if (!is_power_of_two(value, &exponent)) return 0;
  return term_make(terms, TERM_SHIFT_RIGHT, term->operands[0], term_constant(terms, term->width, exponent), 0);
}

static term_id simplify_remainder(struct terms *terms, const struct term *term) {
  bits value;
  unsigned exponent;
  if (!constant(terms, term->operands[1], &value) || !is_power_of_two(value, &exponent)) return 0;
  return term_make(terms, TERM_AND, term->operands[0], term_constant(terms, term->width, value - 1), 0);
}

static term_id simplify_divide_signed(struct terms *terms, const struct term *term) {
  bits value;
  return constant(terms, term->operands[1], &value) && value == 1 && term->width > 1 ? term->operands[0] : 0;
}

/* --- bits --- */

/* x & 0..01..1 = zext(extract(x)): what C's conversions to narrower types look like. */
static term_id mask_to_extract(struct terms *terms, const struct term *term, bits mask) {
  unsigned width;
  if (!is_power_of_two(mask + 1, &width) || width == 0 || width >= term->width) return 0;
  return term_extend(terms, TERM_ZERO_EXTEND, term->width, term_extract(terms, 0, width, term->operands[0]));
}

static term_id simplify_and(struct terms *terms, const struct term *term) {
  bits value;
  if (term->operands[0] == term->operands[1]) return term->operands[0];
  if (!constant(terms, term->operands[1], &value)) return 0;
  if (value == 0) return term->operands[1];
  if (value == bits_mask(term->width)) return term->operands[0];
  const term_id extracted = mask_to_extract(terms, term, value);
  return extracted ? extracted : reassociate(terms, term);
}

static term_id simplify_or(struct terms *terms, const struct term *term) {
  bits value;
  if (term->operands[0] == term->operands[1]) return term->operands[0];
  if (!constant(terms, term->operands[1], &value)) return 0;
  if (value == 0) return term->operands[0];
  if (value == bits_mask(term->width)) return term->operands[1];
  return reassociate(terms, term);
}

/* not (a < b) = b <= a, and the like. */
static term_id negate_comparison(struct terms *terms, term_id id) {
  static const uint8_t opposites[TERM_OPERATORS] = {
      [TERM_LESS] = TERM_LESS_EQUAL,
      [TERM_LESS_EQUAL] = TERM_LESS,
      [TERM_LESS_SIGNED] = TERM_LESS_EQUAL_SIGNED,
      [TERM_LESS_EQUAL_SIGNED] = TERM_LESS_SIGNED,
  };
  const uint8_t opposite = opposites[kind_of(terms, id)];
  return opposite ? term_make(terms, opposite, operand(terms, id, 1), operand(terms, id, 0), 0) : 0;
}

static term_id simplify_xor(struct terms *terms, const struct term *term) {
  bits value;
  if (term->operands[0] == term->operands[1]) return term_constant(terms, term->width, 0);
  if (!constant(terms, term->operands[1], &value)) return 0;
  if (value == 0) return term->operands[0];
  if (term->width == 1) {
    const term_id negated = negate_comparison(terms, term->operands[0]);
    if (negated) return negated;
  }
  return reassociate(terms, term);
}

/* A shift by a constant is a concatenation or an extension: bits only move. */
static term_id simplify_shift(struct terms *terms, const struct term *term) {
  bits distance;
  if (!constant(terms, term->operands[1], &distance)) return 0;
  const unsigned width = term->width;
  const term_id a = term->operands[0];
  if (distance == 0) return a;
  if (distance >= width) {
    if (term->kind != TERM_SHIFT_RIGHT_SIGNED) return term_constant(terms, width, 0);
    distance = width - 1;
  }
  const unsigned by = (unsigned)distance;
  switch (term->kind) {
  case TERM_SHIFT_LEFT:
    return term_make(terms, TERM_CONCATENATE, term_extract(terms, 0, width - by, a), term_constant(terms, by, 0), 0);
  case TERM_SHIFT_RIGHT: return term_extend(terms, TERM_ZERO_EXTEND, width, term_extract(terms, by, width - by, a));
  default: return term_extend(terms, TERM_SIGN_EXTEND, width, term_extract(terms, by, width - by, a));
  }
}

/* --- widths --- */

static term_id simplify_extend(struct terms *terms, const struct term *term) {
  const term_id a = term->operands[0];
  /* An extension of a zero extension adds zeros; of a sign extension, more of the sign if it is one itself. */
  if (kind_of(terms, a) == TERM_ZERO_EXTEND)
    return term_extend(terms, TERM_ZERO_EXTEND, term->width, operand(terms, a, 0));
  if (kind_of(terms, a) == TERM_SIGN_EXTEND && term->kind == TERM_SIGN_EXTEND)
    return term_extend(terms, TERM_SIGN_EXTEND, term->width, operand(terms, a, 0));
  return 0;
}

static term_id extract_of_extension(struct terms *terms, const struct term *term, const struct term *inner) {
  const unsigned source = width_of(terms, inner->operands[0]);
  if (term->low + term->width <= source) return term_extract(terms, term->low, term->width, inner->operands[0]);
  if (term->low >= source && inner->kind == TERM_ZERO_EXTEND) return term_constant(terms, term->width, 0);
  if (term->low >= source) return 0;
  const term_id part = term_extract(terms, term->low, source - term->low, inner->operands[0]);
  return term_extend(terms, inner->kind, term->width, part);
}

static term_id extract_of_concatenation(struct terms *terms, const struct term *term, const struct term *inner) {
  const unsigned split = width_of(terms, inner->operands[1]);
  if (term->low >= split) return term_extract(terms, term->low - split, term->width, inner->operands[0]);
  if (term->low + term->width <= split) return term_extract(terms, term->low, term->width, inner->operands[1]);
  const term_id high = term_extract(terms, 0, term->low + term->width - split, inner->operands[0]);
  const term_id low = term_extract(terms, term->low, split - term->low, inner->operands[1]);
  return term_make(terms, TERM_CONCATENATE, high, low, 0);
}

/* Low bits of a sum depend on low bits only. */
static term_id extract_of_arithmetic(struct terms *terms, const struct term *term, const struct term *inner) {
  if (term->low != 0 && inner->kind != TERM_AND && inner->kind != TERM_OR && inner->kind != TERM_XOR) return 0;
  const term_id a = term_extract(terms, term->low, term->width, inner->operands[0]);
  const term_id b = term_extract(terms, term->low, term->width, inner->operands[1]);
  return term_make(terms, inner->kind, a, b, 0);
}

static term_id simplify_extract(struct terms *terms, const struct term *term) {
  const struct term inner = *node(terms, term->operands[0]);
  switch (inner.kind) {
  case TERM_EXTRACT: return term_extract(terms, term->low + inner.low, term->width, inner.operands[0]);
  case TERM_ZERO_EXTEND:
  case TERM_SIGN_EXTEND: return extract_of_extension(terms, term, &inner);
  case TERM_CONCATENATE: return extract_of_concatenation(terms, term, &inner);
  case TERM_ADD:
  case TERM_SUBTRACT:
  case TERM_MULTIPLY:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR: return extract_of_arithmetic(terms, term, &inner);
  case TERM_IF: {
    const term_id then = term_extract(terms, term->low, term->width, inner.operands[1]);
    const term_id otherwise = term_extract(terms, term->low, term->width, inner.operands[2]);
    return term_make(terms, TERM_IF, inner.operands[0], then, otherwise);
  }
  default: return 0;
  }
}

/* Neighbouring parts of one term are one part of it: how bytes of an integer come together again. */
static term_id simplify_concatenate(struct terms *terms, const struct term *term) {
  const struct term high = *node(terms, term->operands[0]), low = *node(terms, term->operands[1]);
  bits value;
  if (constant(terms, term->operands[0], &value) && value == 0)
    return term_extend(terms, TERM_ZERO_EXTEND, term->width, term->operands[1]);
  if (high.kind == TERM_EXTRACT && low.kind == TERM_EXTRACT && high.operands[0] == low.operands[0] &&
      high.low == low.low + low.width)
    return term_extract(terms, low.low, term->width, low.operands[0]);
  return 0;
}

static term_id simplify_if(struct terms *terms, const struct term *term) {
  bits value, other;
  const term_id condition = term->operands[0], then = term->operands[1], otherwise = term->operands[2];
  if (constant(terms, condition, &value)) return value ? then : otherwise;
  if (then == otherwise) return then;
  if (!constant(terms, then, &value) || !constant(terms, otherwise, &other)) return 0;
  if (value == 1 && other == 0) return term_extend(terms, TERM_ZERO_EXTEND, term->width, condition);
  if (value == 0 && other == 1) return term_extend(terms, TERM_ZERO_EXTEND, term->width, term_not(terms, condition));
  return 0;
}

/* --- comparisons --- */

static term_id truth(struct terms *terms, bool value) {
  return term_constant(terms, 1, value);
}

/* f(x) == c, where f can be undone: x == f'(c), or never. */
static term_id equal_to_constant(struct terms *terms, term_id a, bits value) {
  const struct term term = *node(terms, a);
  const unsigned width = term.width;
  bits inner;
  switch (term.kind) {
  case TERM_ADD:
    if (!constant(terms, term.operands[1], &inner)) return 0;
    return term_make(terms, TERM_EQUAL, term.operands[0], term_constant(terms, width, value - inner), 0);
  case TERM_XOR:
    if (!constant(terms, term.operands[1], &inner)) return 0;
    return term_make(terms, TERM_EQUAL, term.operands[0], term_constant(terms, width, value ^ inner), 0);
  case TERM_SUBTRACT:
    if (value == 0) return term_make(terms, TERM_EQUAL, term.operands[0], term.operands[1], 0);
    if (!constant(terms, term.operands[0], &inner)) return 0;
    return term_make(terms, TERM_EQUAL, term.operands[1], term_constant(terms, width, inner - value), 0);
  case TERM_ZERO_EXTEND: {
    const unsigned source = width_of(terms, term.operands[0]);
    if (value & ~bits_mask(source)) return truth(terms, false);
    return term_make(terms, TERM_EQUAL, term.operands[0], term_constant(terms, source, value), 0);
  }
  case TERM_SIGN_EXTEND: {
    const unsigned source = width_of(terms, term.operands[0]);
    const bits sign = value >> (source - 1) & 1 ? bits_mask(width) & ~bits_mask(source) : 0;
    if (value != (sign | (value & bits_mask(source)))) return truth(terms, false);
    return term_make(terms, TERM_EQUAL, term.operands[0], term_constant(terms, source, value), 0);
  }
  case TERM_CONCATENATE: {
    const unsigned split = width_of(terms, term.operands[1]);
    const term_id high =
        term_make(terms, TERM_EQUAL, term.operands[0], term_constant(terms, width - split, value >> split), 0);
    const term_id low = term_make(terms, TERM_EQUAL, term.operands[1], term_constant(terms, split, value), 0);
    return term_make(terms, TERM_AND, high, low, 0);
  }
  default: return 0;
  }
}

static term_id simplify_equal(struct terms *terms, const struct term *term) {
  const term_id a = term->operands[0], b = term->operands[1];
  bits value;
  if (a == b) return truth(terms, true);
  if (constant(terms, b, &value)) {
    if (width_of(terms, a) == 1) return value ? a : term_not(terms, a);
    return equal_to_constant(terms, a, value);
  }
  const bool both_zero = kind_of(terms, a) == TERM_ZERO_EXTEND && kind_of(terms, b) == TERM_ZERO_EXTEND;
  const bool both_sign = kind_of(terms, a) == TERM_SIGN_EXTEND && kind_of(terms, b) == TERM_SIGN_EXTEND;
  if ((both_zero || both_sign) && width_of(terms, operand(terms, a, 0)) == width_of(terms, operand(terms, b, 0)))
    return term_make(terms, TERM_EQUAL, operand(terms, a, 0), operand(terms, b, 0), 0);
  return 0;
}

static bool is_signed_comparison(enum term_operator kind) {
  return kind == TERM_LESS_SIGNED || kind == TERM_LESS_EQUAL_SIGNED;
}

static bool is_strict(enum term_operator kind) {
  return kind == TERM_LESS || kind == TERM_LESS_SIGNED;
}

static bits smallest(bool is_signed, unsigned width) {
  return is_signed ? (bits)1 << (width - 1) : 0;
}

static bits largest(bool is_signed, unsigned width) {
  return is_signed ? bits_mask(width) >> 1 : bits_mask(width);
}

/* Comparisons that a bound of the type decides; x < 1 is x == 0. */
static term_id compare_with_bounds(struct terms *terms, const struct term *term) {
  const term_id a = term->operands[0], b = term->operands[1];
  const unsigned width = width_of(terms, a);
  const bool is_signed = is_signed_comparison(term->kind), strict = is_strict(term->kind);
  const bits low = smallest(is_signed, width), high = largest(is_signed, width);
  bits value;
  if (constant(terms, b, &value)) {
    if (value == low) return strict ? truth(terms, false) : term_make(terms, TERM_EQUAL, a, b, 0);
    if (value == high && !strict) return truth(terms, true);
    if (strict && value == ((low + 1) & bits_mask(width)))
      return term_make(terms, TERM_EQUAL, a, term_constant(terms, width, low), 0);
  }
  if (constant(terms, a, &value)) {
    if (value == high) return strict ? truth(terms, false) : term_make(terms, TERM_EQUAL, b, a, 0);
    if (value == low && !strict) return truth(terms, true);
  }
  return 0;
}

/* Both sides extended alike from the same width, a constant counting as extended if it fits: compare before extending.
 */
static term_id compare_narrow(struct terms *terms, const struct term *term) {
  const term_id a = term->operands[0], b = term->operands[1];
  const bool a_extended = kind_of(terms, a) == TERM_ZERO_EXTEND || kind_of(terms, a) == TERM_SIGN_EXTEND;
  const term_id extended = a_extended ? a : b, other = a_extended ? b : a;
  const enum term_operator extension = kind_of(terms, extended);
  if (extension != TERM_ZERO_EXTEND && extension != TERM_SIGN_EXTEND) return 0;
  const term_id source = operand(terms, extended, 0);
  const unsigned width = width_of(terms, source), full = width_of(terms, extended);
  bits value;
  term_id narrow;
  if (kind_of(terms, other) == extension && width_of(terms, operand(terms, other, 0)) == width) {
    narrow = operand(terms, other, 0);
  } else if (constant(terms, other, &value)) {
    narrow = term_constant(terms, width, value);
    if (term_extend(terms, extension, full, narrow) != other) return 0;
  } else {
    return 0;
  }
  /* After zero extension nothing is negative, so the order is the unsigned one; sign extension keeps both orders. */
  enum term_operator kind = term->kind;
  if (extension == TERM_ZERO_EXTEND) kind = is_strict(kind) ? TERM_LESS : TERM_LESS_EQUAL;
  return a_extended ? term_make(terms, kind, source, narrow, 0) : term_make(terms, kind, narrow, source, 0);
}

/* A zero-extended value against a constant that does not fit: decided. */
static term_id compare_out_of_range(struct terms *terms, const struct term *term) {
  const term_id a = term->operands[0], b = term->operands[1];
  const bool is_signed = is_signed_comparison(term->kind);
  const unsigned full = width_of(terms, a);
  bits value;
  if (kind_of(terms, a) == TERM_ZERO_EXTEND && constant(terms, b, &value)) {
    const unsigned width = width_of(terms, operand(terms, a, 0));
    if (value & ~bits_mask(width)) return truth(terms, !is_signed || !(value >> (full - 1) & 1));
  }
  if (kind_of(terms, b) == TERM_ZERO_EXTEND && constant(terms, a, &value)) {
    const unsigned width = width_of(terms, operand(terms, b, 0));
    if (value & ~bits_mask(width)) return truth(terms, is_signed && value >> (full - 1) & 1);
  }
  return 0;
}

static term_id simplify_comparison(struct terms *terms, const struct term *term) {
  if (term->operands[0] == term->operands[1]) return truth(terms, !is_strict(term->kind));
  term_id simpler = compare_with_bounds(terms, term);
  if (!simpler) simpler = compare_narrow(terms, term);
  return simpler ? simpler : compare_out_of_range(terms, term);
}

term_id term_simplify(struct terms *terms, const struct term *term) {
  const term_id folded = fold(terms, term);
  if (folded) return folded;
  switch ((enum term_operator)term->kind) {
  case TERM_ADD: return simplify_add(terms, term);
  case TERM_SUBTRACT: return simplify_subtract(terms, term);
  case TERM_MULTIPLY: return simplify_multiply(terms, term);
  case TERM_DIVIDE: return simplify_divide(terms, term);
  case TERM_REMAINDER: return simplify_remainder(terms, term);
  case TERM_DIVIDE_SIGNED: return simplify_divide_signed(terms, term);
  case TERM_AND: return simplify_and(terms, term);
  case TERM_OR: return simplify_or(terms, term);
  case TERM_XOR: return simplify_xor(terms, term);
  case TERM_SHIFT_LEFT:
  case TERM_SHIFT_RIGHT:
  case TERM_SHIFT_RIGHT_SIGNED: return simplify_shift(terms, term);
  case TERM_ZERO_EXTEND:
  case TERM_SIGN_EXTEND: return simplify_extend(terms, term);
  case TERM_EXTRACT: return simplify_extract(terms, term);
  case TERM_CONCATENATE: return simplify_concatenate(terms, term);
  case TERM_IF: return simplify_if(terms, term);
  case TERM_EQUAL: return simplify_equal(terms, term);
  case TERM_LESS:
  case TERM_LESS_EQUAL:
  case TERM_LESS_SIGNED:
  case TERM_LESS_EQUAL_SIGNED: return simplify_comparison(terms, term);
  case TERM_REMAINDER_SIGNED:
  case TERM_CONSTANT:
  case TERM_INPUT:
  case TERM_OPERATORS: return 0;
  }
  return 0;
}
