/* SPDX-License-Identifier: MIT
 *
 * What the operators of terms mean (abi/operators.def): the one definition, for the runtime that makes terms while the
 * program runs and for the engine that evaluates them.
 */
#ifndef HEDDLE_ABI_OPERATORS_H
#define HEDDLE_ABI_OPERATORS_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 bits;
typedef __int128 signed_bits;

#define TERM_MAX_WIDTH 128u

enum term_operator {
#define OPERATOR(name, words, operands, commutative) TERM_##name,
#include "operators.def"
#undef OPERATOR
  TERM_OPERATORS
};

static inline bits bits_mask(unsigned width) {
  return width >= 128 ? ~(bits)0 : ((bits)1 << width) - 1;
}

static inline signed_bits bits_as_signed(bits value, unsigned width) {
  const unsigned shift = 128 - width;
  return (signed_bits)(value << shift) >> shift;
}

static inline bool bits_is_negative(bits value, unsigned width) {
  return value >> (width - 1) & 1;
}

/* Signed division by way of magnitudes: the smallest number divided by -1 wraps around. */
static inline bits bits_divide_signed(bits a, bits b, unsigned width) {
  const bool negative_a = bits_is_negative(a, width), negative_b = bits_is_negative(b, width);
  if (b == 0) return negative_a ? 1 : bits_mask(width);
  const bits quotient = (negative_a ? -a & bits_mask(width) : a) / (negative_b ? -b & bits_mask(width) : b);
  return negative_a != negative_b ? -quotient : quotient;
}

static inline bits bits_remainder_signed(bits a, bits b, unsigned width) {
  if (b == 0) return a;
  const bool negative = bits_is_negative(a, width);
  const bits divisor = bits_is_negative(b, width) ? -b & bits_mask(width) : b;
  const bits remainder = (negative ? -a & bits_mask(width) : a) % divisor;
  return negative ? -remainder : remainder;
}

static inline bits bits_shift_right_signed(bits a, bits b, unsigned width) {
  const unsigned distance = b >= width ? width - 1 : (unsigned)b;
  return (bits)(bits_as_signed(a, width) >> distance);
}

/* The value of an operator on values of its operands: `width` is that of the first operand, `low_width` that of the
 * second, `low` the first bit of an EXTRACT. Bits above the width of the result may be anything. Not for CONSTANT and
 * INPUT, which have no operands. */
static inline bits operator_apply(enum term_operator kind, unsigned width, unsigned low_width, unsigned low, bits a,
                                  bits b, bits c) {
  switch (kind) {
  case TERM_ADD: return a + b;
  case TERM_SUBTRACT: return a - b;
  case TERM_MULTIPLY: return a * b;
  case TERM_DIVIDE: return b ? a / b : ~(bits)0;
  case TERM_DIVIDE_SIGNED: return bits_divide_signed(a, b, width);
  case TERM_REMAINDER: return b ? a % b : a;
  case TERM_REMAINDER_SIGNED: return bits_remainder_signed(a, b, width);
  case TERM_AND: return a & b;
  case TERM_OR: return a | b;
  case TERM_XOR: return a ^ b;
  case TERM_SHIFT_LEFT: return b >= width ? 0 : a << (unsigned)b;
  case TERM_SHIFT_RIGHT: return b >= width ? 0 : a >> (unsigned)b;
  case TERM_SHIFT_RIGHT_SIGNED: return bits_shift_right_signed(a, b, width);
  case TERM_EQUAL: return a == b;
  case TERM_LESS: return a < b;
  case TERM_LESS_EQUAL: return a <= b;
  case TERM_LESS_SIGNED: return bits_as_signed(a, width) < bits_as_signed(b, width);
  case TERM_LESS_EQUAL_SIGNED: return bits_as_signed(a, width) <= bits_as_signed(b, width);
  case TERM_IF: return a ? b : c;
  case TERM_ZERO_EXTEND: return a;
  case TERM_SIGN_EXTEND: return (bits)bits_as_signed(a, width);
  case TERM_EXTRACT: return a >> low;
  case TERM_CONCATENATE: return a << low_width | b;
  case TERM_CONSTANT:
  case TERM_INPUT:
  case TERM_OPERATORS: break;
  }
  return 0;
}

#endif
