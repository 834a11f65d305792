/* SPDX-License-Identifier: MIT
 *
 * LLVM's integer intrinsics as terms of the basic operators. A shift by the width or more gives 0 (abi/operators.def),
 * which makes some of them simpler than in C.
 */
#include "intrinsics.h"

static uint32_t op(enum term_operator kind, uint32_t a, uint32_t b) {
  return a ? term_make(kind, term_width(a), 0, a, b, 0) : 0;
}

static uint32_t choose(uint32_t condition, uint32_t a, uint32_t b) {
  return a ? term_make(TERM_IF, term_width(a), 0, condition, a, b) : 0;
}

static uint32_t constant_like(uint32_t a, bits value) {
  return a ? term_constant(value, term_width(a)) : 0;
}

static uint32_t complement(uint32_t a) {
  return op(TERM_XOR, a, constant_like(a, ~(bits)0));
}

static uint32_t top_bit(uint32_t a) {
  return a ? term_extract(a, term_width(a) - 1, 1) : 0;
}

/* ---- overflow ---- */

/* The sum differs in sign from both operands. */
static uint32_t add_overflows(uint32_t a, uint32_t b) {
  const uint32_t sum = op(TERM_ADD, a, b);
  return top_bit(op(TERM_AND, op(TERM_XOR, sum, a), op(TERM_XOR, sum, b)));
}

static uint32_t subtract_overflows(uint32_t a, uint32_t b) {
  const uint32_t difference = op(TERM_SUBTRACT, a, b);
  return top_bit(op(TERM_AND, op(TERM_XOR, a, b), op(TERM_XOR, a, difference)));
}

/* What a signed operation gives instead of overflowing: the end of the range on the side of `a`. */
static uint32_t saturated(uint32_t a) {
  if (!a) return 0;
  const bits smallest = (bits)1 << (term_width(a) - 1);
  return choose(top_bit(a), constant_like(a, smallest), constant_like(a, smallest - 1));
}

static uint32_t multiply_overflows_in_double(uint32_t a, uint32_t b, enum term_operator extension) {
  const unsigned width = term_width(a);
  const uint32_t product =
      op(TERM_MULTIPLY, term_extend(extension, a, 2 * width), term_extend(extension, b, 2 * width));
  const uint32_t back = term_extend(extension, term_extract(product, 0, width), 2 * width);
  return term_is(COMPARE_NOT_EQUAL, product, back);
}

/* Without a type twice as wide: the product divided by one factor is not the other. */
static uint32_t multiply_overflows_wide(uint32_t a, uint32_t b, enum term_operator divide) {
  const uint32_t quotient = op(divide, op(TERM_MULTIPLY, a, b), a);
  const uint32_t differs =
      op(TERM_AND, term_is(COMPARE_NOT_EQUAL, a, constant_like(a, 0)), term_is(COMPARE_NOT_EQUAL, quotient, b));
  if (divide == TERM_DIVIDE) return differs;
  const uint32_t negated = op(TERM_AND, term_is(COMPARE_EQUAL, a, constant_like(a, ~(bits)0)),
                              term_is(COMPARE_EQUAL, b, constant_like(b, (bits)1 << (term_width(b) - 1))));
  return op(TERM_OR, differs, negated);
}

static uint32_t multiply_overflows(uint32_t a, uint32_t b, bool is_signed) {
  if (!a || !b) return 0;
  if (term_width(a) <= TERM_MAX_WIDTH / 2)
    return multiply_overflows_in_double(a, b, is_signed ? TERM_SIGN_EXTEND : TERM_ZERO_EXTEND);
  return multiply_overflows_wide(a, b, is_signed ? TERM_DIVIDE_SIGNED : TERM_DIVIDE);
}

/* ---- bits ---- */

/* Every second group of `size` bits. */
static bits alternating(unsigned size) {
  bits mask = 0;
  for (unsigned i = 0; i < TERM_MAX_WIDTH; i += 2 * size) mask |= bits_mask(size) << i;
  return mask;
}

/* Neighbouring counts are added: of one bit, two, four ... */
static uint32_t count_ones(uint32_t a, unsigned width) {
  for (unsigned size = 1; size < width; size *= 2) {
    const uint32_t mask = constant_like(a, alternating(size));
    const uint32_t shifted = op(TERM_SHIFT_RIGHT, a, constant_like(a, size));
    a = op(TERM_ADD, op(TERM_AND, a, mask), op(TERM_AND, shifted, mask));
  }
  return a;
}

static uint32_t leading_zeros(uint32_t a, unsigned width) {
  for (unsigned size = 1; size < width; size *= 2) a = op(TERM_OR, a, op(TERM_SHIFT_RIGHT, a, constant_like(a, size)));
  return count_ones(complement(a), width);
}

static uint32_t trailing_zeros(uint32_t a, unsigned width) {
  return count_ones(op(TERM_AND, complement(a), op(TERM_SUBTRACT, a, constant_like(a, 1))), width);
}

/* Pieces of `size` bits in the opposite order. */
static uint32_t reverse(uint32_t a, unsigned width, unsigned size) {
  uint32_t result = term_extract(a, 0, size);
  for (unsigned low = size; low < width && result; low += size)
    result = term_make(TERM_CONCATENATE, low + size, 0, result, term_extract(a, low, size), 0);
  return result;
}

static uint32_t funnel(uint32_t high, uint32_t low, uint32_t by, unsigned width, bool left) {
  const uint32_t distance = op(TERM_REMAINDER, by, constant_like(by, width));
  const uint32_t rest = op(TERM_SUBTRACT, constant_like(by, width), distance);
  return op(TERM_OR, op(TERM_SHIFT_LEFT, high, left ? distance : rest),
            op(TERM_SHIFT_RIGHT, low, left ? rest : distance));
}

uint32_t intrinsic_make(enum symbolic_intrinsic kind, unsigned width, uint32_t a, uint32_t b, uint32_t c) {
  switch (kind) {
  case SYMBOLIC_UMIN: return choose(term_is(COMPARE_LESS, a, b), a, b);
  case SYMBOLIC_UMAX: return choose(term_is(COMPARE_LESS, a, b), b, a);
  case SYMBOLIC_SMIN: return choose(term_is(COMPARE_LESS_SIGNED, a, b), a, b);
  case SYMBOLIC_SMAX: return choose(term_is(COMPARE_LESS_SIGNED, a, b), b, a);
  case SYMBOLIC_ABS: return choose(top_bit(a), op(TERM_SUBTRACT, constant_like(a, 0), a), a);
  case SYMBOLIC_UADD_SATURATED:
    return choose(term_is(COMPARE_LESS, op(TERM_ADD, a, b), a), constant_like(a, ~(bits)0), op(TERM_ADD, a, b));
  case SYMBOLIC_SADD_SATURATED: return choose(add_overflows(a, b), saturated(a), op(TERM_ADD, a, b));
  case SYMBOLIC_USUB_SATURATED:
    return choose(term_is(COMPARE_LESS, a, b), constant_like(a, 0), op(TERM_SUBTRACT, a, b));
  case SYMBOLIC_SSUB_SATURATED: return choose(subtract_overflows(a, b), saturated(a), op(TERM_SUBTRACT, a, b));
  case SYMBOLIC_UADD_OVERFLOW: return term_is(COMPARE_LESS, op(TERM_ADD, a, b), a);
  case SYMBOLIC_SADD_OVERFLOW: return add_overflows(a, b);
  case SYMBOLIC_USUB_OVERFLOW: return term_is(COMPARE_LESS, a, b);
  case SYMBOLIC_SSUB_OVERFLOW: return subtract_overflows(a, b);
  case SYMBOLIC_UMUL_OVERFLOW: return multiply_overflows(a, b, false);
  case SYMBOLIC_SMUL_OVERFLOW: return multiply_overflows(a, b, true);
  case SYMBOLIC_COUNT_ONES: return count_ones(a, width);
  case SYMBOLIC_LEADING_ZEROS: return leading_zeros(a, width);
  case SYMBOLIC_TRAILING_ZEROS: return trailing_zeros(a, width);
  case SYMBOLIC_SWAP_BYTES: return reverse(a, width, 8);
  case SYMBOLIC_REVERSE_BITS: return reverse(a, width, 1);
  case SYMBOLIC_FUNNEL_LEFT: return funnel(a, b, c, width, true);
  case SYMBOLIC_FUNNEL_RIGHT: return funnel(a, b, c, width, false);
  case SYMBOLIC_INTRINSICS: break;
  }
  return 0;
}
