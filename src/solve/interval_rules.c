/* SPDX-License-Identifier: MIT
 *
 * How bounds pass between a term and its operands, in both directions, operator by operator.
 */
#include "solve/intervals.h"

void intervals_narrow(struct intervals *self, term_id id, struct box by) {
  if (is_wide(self, id)) return;
  struct box *box = &self->boxes[id];
  const struct box before = *box;
  box->plain = meet(box->plain, by.plain);
  box->sign = meet(box->sign, by.sign);
  reduce(box, width_of(self, id));
  self->changed |= box->plain.low != before.plain.low || box->plain.high != before.plain.high ||
                   box->sign.low != before.sign.low || box->sign.high != before.sign.high;
  self->empty |= is_empty(box->plain) || is_empty(box->sign);
}

static void narrow_plain(struct intervals *self, term_id id, struct span span) {
  if (!is_wide(self, id)) intervals_narrow(self, id, plain_box(span, width_of(self, id)));
}

static void narrow_signed(struct intervals *self, term_id id, struct span span) {
  if (!is_wide(self, id)) intervals_narrow(self, id, signed_box(span, width_of(self, id)));
}

void intervals_set_bit(struct intervals *self, term_id id, bool value) {
  narrow_plain(self, id, (struct span){value, value});
}

/* The value of a term of one bit; -1 when it is open. */
static int bit_of(const struct box *box) {
  return is_fixed(box->plain) ? (int)box->plain.low : -1;
}

/* --- from operands to terms --- */

static bool product(signed_bits a, signed_bits b, signed_bits *result) {
  return !__builtin_mul_overflow(a, b, result);
}

static bool multiply(struct span a, struct span b, struct span *result) {
  signed_bits corners[4];
  if (!product(a.low, b.low, &corners[0]) || !product(a.low, b.high, &corners[1]) ||
      !product(a.high, b.low, &corners[2]) || !product(a.high, b.high, &corners[3]))
    return false;
  *result = (struct span){corners[0], corners[0]};
  for (int i = 1; i < 4; i++) *result = hull(*result, (struct span){corners[i], corners[i]});
  return true;
}

static struct box multiply_boxes(const struct box *a, const struct box *b, unsigned width) {
  struct span plain, sign;
  struct box result = all(width);
  if (multiply(a->plain, b->plain, &plain)) result.plain = wrapped(plain, 0, width);
  if (multiply(a->sign, b->sign, &sign)) result.sign = wrapped(sign, -power(width - 1), width);
  return result;
}

/* Division by zero gives all ones: only divisors that are positive are followed. */
static struct box divide_boxes(const struct box *a, const struct box *b, unsigned width) {
  if (b->plain.low < 1) return all(width);
  return plain_box((struct span){a->plain.low / b->plain.high, a->plain.high / b->plain.low}, width);
}

static struct box divide_signed_boxes(const struct box *a, const struct box *b, unsigned width) {
  if (!is_fixed(b->sign) || b->sign.low < 1) return all(width);
  return signed_box((struct span){a->sign.low / b->sign.low, a->sign.high / b->sign.low}, width);
}

static struct box remainder_boxes(const struct box *a, const struct box *b, unsigned width) {
  if (b->plain.low < 1) return plain_box((struct span){0, a->plain.high}, width);
  if (a->plain.high < b->plain.low) return plain_box(a->plain, width);
  const signed_bits most = b->plain.high - 1;
  return plain_box((struct span){0, most < a->plain.high ? most : a->plain.high}, width);
}

/* The sign is that of the first operand, the amount less than the second's. */
static struct box remainder_signed_boxes(const struct box *a, const struct box *b, unsigned width) {
  struct span span = {a->sign.low < 0 ? a->sign.low : 0, a->sign.high > 0 ? a->sign.high : 0};
  if (b->sign.low >= 1) span = meet(span, (struct span){1 - b->sign.high, b->sign.high - 1});
  return signed_box(span, width);
}

/* All ones up to the highest bit of a number. */
static signed_bits filled(signed_bits value) {
  for (int i = 1; i < 128; i *= 2) value |= value >> i;
  return value;
}

static struct box bitwise_boxes(enum term_operator kind, const struct box *a, const struct box *b, unsigned width) {
  const signed_bits most = filled(a->plain.high | b->plain.high);
  const signed_bits smaller = a->plain.high < b->plain.high ? a->plain.high : b->plain.high;
  const signed_bits larger = a->plain.low > b->plain.low ? a->plain.low : b->plain.low;
  switch (kind) {
  case TERM_AND: return plain_box((struct span){0, smaller}, width);
  case TERM_OR: return plain_box((struct span){larger, most}, width);
  default:
    if (is_fixed(a->plain) && is_fixed(b->plain)) {
      const signed_bits value = a->plain.low ^ b->plain.low;
      return plain_box((struct span){value, value}, width);
    }
    return plain_box((struct span){0, most}, width);
  }
}

static struct box concatenate_boxes(const struct box *high, const struct box *low, unsigned low_width, unsigned width) {
  const struct span plain = {(high->plain.low << low_width) + low->plain.low,
                             (high->plain.high << low_width) + low->plain.high};
  const struct span sign = {high->sign.low * power(low_width) + low->plain.low,
                            high->sign.high * power(low_width) + low->plain.high};
  return (struct box){meet(plain, all_plain(width)), meet(sign, all_signed(width))};
}

static struct box extract_box(const struct box *a, unsigned low, unsigned width, unsigned source) {
  struct box result = all(width);
  if (a->plain.high < power(low + width)) result.plain = (struct span){a->plain.low >> low, a->plain.high >> low};
  const struct span sign = {a->sign.low >> low, a->sign.high >> low};
  if (low + width == source || (sign.low >= result.sign.low && sign.high <= result.sign.high)) result.sign = sign;
  return result;
}

static struct box truth(int value) {
  return (struct box){value < 0 ? all_plain(1) : (struct span){value, value}, all_signed(1)};
}

static int compare_spans(struct span a, struct span b, bool strict) {
  if (strict ? a.high < b.low : a.high <= b.low) return 1;
  if (strict ? a.low >= b.high : a.low > b.high) return 0;
  return -1;
}

static int equal_boxes(const struct box *a, const struct box *b) {
  if (is_empty(meet(a->plain, b->plain)) || is_empty(meet(a->sign, b->sign))) return 0;
  return is_fixed(a->plain) && is_fixed(b->plain) ? 1 : -1;
}

static struct box if_box(const struct box *condition, const struct box *a, const struct box *b) {
  const int taken = bit_of(condition);
  if (taken >= 0) return taken ? *a : *b;
  return (struct box){hull(a->plain, b->plain), hull(a->sign, b->sign)};
}

struct box intervals_compute(const struct intervals *self, const struct term *term) {
  const unsigned width = term->width;
  const struct box *a = box_at(self, term->operands[0]), *b = box_at(self, term->operands[1]);
  switch ((enum term_operator)term->kind) {
  case TERM_ADD: return box_of(sum(a->plain, b->plain), sum(a->sign, b->sign), width);
  case TERM_SUBTRACT: return box_of(difference(a->plain, b->plain), difference(a->sign, b->sign), width);
  case TERM_MULTIPLY: return multiply_boxes(a, b, width);
  case TERM_DIVIDE: return divide_boxes(a, b, width);
  case TERM_DIVIDE_SIGNED: return divide_signed_boxes(a, b, width);
  case TERM_REMAINDER: return remainder_boxes(a, b, width);
  case TERM_REMAINDER_SIGNED: return remainder_signed_boxes(a, b, width);
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR: return bitwise_boxes(term->kind, a, b, width);
  case TERM_SHIFT_RIGHT: return plain_box((struct span){0, a->plain.high}, width);
  case TERM_EQUAL: return truth(equal_boxes(a, b));
  case TERM_LESS: return truth(compare_spans(a->plain, b->plain, true));
  case TERM_LESS_EQUAL: return truth(compare_spans(a->plain, b->plain, false));
  case TERM_LESS_SIGNED: return truth(compare_spans(a->sign, b->sign, true));
  case TERM_LESS_EQUAL_SIGNED: return truth(compare_spans(a->sign, b->sign, false));
  case TERM_IF: return if_box(a, b, box_at(self, term->operands[2]));
  case TERM_ZERO_EXTEND: return plain_box(a->plain, width);
  case TERM_SIGN_EXTEND: return signed_box(a->sign, width);
  case TERM_EXTRACT: return extract_box(a, term->low, width, width_of(self, term->operands[0]));
  case TERM_CONCATENATE: return concatenate_boxes(a, b, width_of(self, term->operands[1]), width);
  default: return all(width);
  }
}

/* --- from terms to operands --- */

static void ask_sum(struct intervals *self, const struct term *term, const struct box *box) {
  const term_id a = term->operands[0], b = term->operands[1];
  const struct box first = *box_at(self, a), second = *box_at(self, b);
  const unsigned width = term->width;
  intervals_narrow(self, a, box_of(difference(box->plain, second.plain), difference(box->sign, second.sign), width));
  intervals_narrow(self, b, box_of(difference(box->plain, first.plain), difference(box->sign, first.sign), width));
}

static void ask_difference(struct intervals *self, const struct term *term, const struct box *box) {
  const term_id a = term->operands[0], b = term->operands[1];
  const struct box first = *box_at(self, a), second = *box_at(self, b);
  const unsigned width = term->width;
  intervals_narrow(self, a, box_of(sum(box->plain, second.plain), sum(box->sign, second.sign), width));
  intervals_narrow(self, b, box_of(difference(first.plain, box->plain), difference(first.sign, box->sign), width));
}

static signed_bits divided_up(signed_bits a, signed_bits b) {
  return a / b + (a % b > 0);
}

static signed_bits divided_down(signed_bits a, signed_bits b) {
  return a / b - (a % b < 0);
}

static bool fits(struct span a, signed_bits factor, struct span range) {
  struct span result;
  return multiply(a, (struct span){factor, factor}, &result) && result.low >= range.low && result.high <= range.high;
}

/* Multiplication by a positive constant, where it does not wrap around. */
static void ask_product(struct intervals *self, const struct term *term, const struct box *box) {
  const term_id a = term->operands[0];
  const struct span factor = box_at(self, term->operands[1])->plain;
  if (!is_fixed(factor) || factor.low < 1 || factor.low >= power(term->width - 1)) return;
  const struct box first = *box_at(self, a);
  if (fits(first.plain, factor.low, all_plain(term->width)))
    narrow_plain(self, a, (struct span){divided_up(box->plain.low, factor.low), box->plain.high / factor.low});
  if (fits(first.sign, factor.low, all_signed(term->width)))
    narrow_signed(self, a,
                  (struct span){divided_up(box->sign.low, factor.low), divided_down(box->sign.high, factor.low)});
}

/* Division by a constant, and the remainder of what is smaller than the divisor. */
static void ask_dividend(struct intervals *self, const struct term *term, const struct box *box) {
  const term_id a = term->operands[0];
  const struct span divisor = box_at(self, term->operands[1])->plain;
  if (term->kind == TERM_REMAINDER) {
    if (box_at(self, a)->plain.high < divisor.low) narrow_plain(self, a, box->plain);
    return;
  }
  signed_bits low, high;
  if (!is_fixed(divisor) || divisor.low < 1) return;
  if (product(box->plain.low, divisor.low, &low) && product(box->plain.high, divisor.low, &high))
    narrow_plain(self, a, (struct span){low, high + divisor.low - 1});
}

static void ask_bits(struct intervals *self, const struct term *term, const struct box *box) {
  const struct box first = *box_at(self, term->operands[0]), second = *box_at(self, term->operands[1]);
  const signed_bits full = power(term->width) - 1;
  if (term->kind == TERM_AND) {
    for (int i = 0; i < 2; i++) narrow_plain(self, term->operands[i], (struct span){box->plain.low, full});
  } else if (term->kind == TERM_OR) {
    for (int i = 0; i < 2; i++) narrow_plain(self, term->operands[i], (struct span){0, box->plain.high});
  } else if (is_fixed(box->plain) && is_fixed(second.plain)) {
    const signed_bits value = box->plain.low ^ second.plain.low;
    narrow_plain(self, term->operands[0], (struct span){value, value});
  }
  if (term->width != 1 || bit_of(box) < 0 || term->kind == TERM_XOR) return;
  /* One bit, and the other operand leaves the result to this one. */
  const int neutral = term->kind == TERM_AND;
  if (bit_of(&first) == neutral) intervals_set_bit(self, term->operands[1], bit_of(box));
  if (bit_of(&second) == neutral) intervals_set_bit(self, term->operands[0], bit_of(box));
}

static struct span without(struct span span, signed_bits value) {
  if (span.low == value) span.low++;
  if (span.high == value) span.high--;
  return span;
}

static void exclude(struct intervals *self, term_id id, const struct box *value) {
  if (is_wide(self, id) || !is_fixed(value->plain) || !is_fixed(value->sign)) return;
  const struct box *box = box_at(self, id);
  intervals_narrow(self, id, (struct box){without(box->plain, value->plain.low), without(box->sign, value->sign.low)});
}

static void ask_equal(struct intervals *self, const struct term *term, bool holds) {
  const struct box first = *box_at(self, term->operands[0]), second = *box_at(self, term->operands[1]);
  if (holds) {
    intervals_narrow(self, term->operands[0], second);
    intervals_narrow(self, term->operands[1], first);
  } else {
    exclude(self, term->operands[0], &second);
    exclude(self, term->operands[1], &first);
  }
}

static void ask_order(struct intervals *self, const struct term *term, bool holds) {
  const bool is_signed = term->kind == TERM_LESS_SIGNED || term->kind == TERM_LESS_EQUAL_SIGNED;
  const bool strict = (term->kind == TERM_LESS || term->kind == TERM_LESS_SIGNED) == holds;
  const term_id small = term->operands[holds ? 0 : 1], large = term->operands[holds ? 1 : 0];
  const struct span below = is_signed ? box_at(self, small)->sign : box_at(self, small)->plain;
  const struct span above = is_signed ? box_at(self, large)->sign : box_at(self, large)->plain;
  const struct span smaller = {below.low, above.high - strict}, larger = {below.low + strict, above.high};
  (is_signed ? narrow_signed : narrow_plain)(self, small, smaller);
  (is_signed ? narrow_signed : narrow_plain)(self, large, larger);
}

static void ask_if(struct intervals *self, const struct term *term, const struct box *box) {
  const term_id condition = term->operands[0];
  int taken = bit_of(box_at(self, condition));
  if (taken < 0 && equal_boxes(box_at(self, term->operands[1]), box) == 0) taken = 0;
  if (taken != 0 && bit_of(box_at(self, condition)) < 0 && equal_boxes(box_at(self, term->operands[2]), box) == 0)
    taken = 1;
  if (taken < 0) return;
  intervals_set_bit(self, condition, taken);
  intervals_narrow(self, term->operands[taken ? 1 : 2], *box);
}

static void ask_extract(struct intervals *self, const struct term *term, const struct box *box) {
  const term_id a = term->operands[0];
  if (is_wide(self, a) || box_at(self, a)->plain.high >= power(term->low + term->width)) return;
  narrow_plain(self, a, (struct span){box->plain.low << term->low, ((box->plain.high + 1) << term->low) - 1});
}

static void ask_concatenation(struct intervals *self, const struct term *term, const struct box *box) {
  const unsigned split = width_of(self, term->operands[1]);
  narrow_plain(self, term->operands[0], (struct span){box->plain.low >> split, box->plain.high >> split});
  const struct span high = box_at(self, term->operands[0])->plain;
  if (is_fixed(high)) narrow_plain(self, term->operands[1], shifted(box->plain, -(high.low << split)));
}

void intervals_ask_operands(struct intervals *self, const struct term *term, const struct box *box) {
  switch ((enum term_operator)term->kind) {
  case TERM_ADD: ask_sum(self, term, box); break;
  case TERM_SUBTRACT: ask_difference(self, term, box); break;
  case TERM_MULTIPLY: ask_product(self, term, box); break;
  case TERM_DIVIDE:
  case TERM_REMAINDER: ask_dividend(self, term, box); break;
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR: ask_bits(self, term, box); break;
  case TERM_EQUAL:
    if (bit_of(box) >= 0) ask_equal(self, term, bit_of(box));
    break;
  case TERM_LESS:
  case TERM_LESS_EQUAL:
  case TERM_LESS_SIGNED:
  case TERM_LESS_EQUAL_SIGNED:
    if (bit_of(box) >= 0) ask_order(self, term, bit_of(box));
    break;
  case TERM_IF: ask_if(self, term, box); break;
  case TERM_ZERO_EXTEND: narrow_plain(self, term->operands[0], box->plain); break;
  case TERM_SIGN_EXTEND: narrow_signed(self, term->operands[0], box->sign); break;
  case TERM_EXTRACT: ask_extract(self, term, box); break;
  case TERM_CONCATENATE: ask_concatenation(self, term, box); break;
  default: break;
  }
}
