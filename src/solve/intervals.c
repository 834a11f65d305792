/* SPDX-License-Identifier: MIT
 *
 * Bounds for every term of a query: operands give bounds to a term, and what is known of a term gives bounds to its
 * operands; the constraints are 1. Rounds of both narrow the bounds of the inputs. If the bounds of some term
 * contradict each other there is no solution. Otherwise a few points in the box that is left are tried, and all of them
 * where they are few: then too there is an answer. The chain has this stage twice, the second time for boxes of more
 * points: all values of two bytes take less time than a hard query of Z3. When Z3 gives up, still more are tried.
 *
 * A term has two bounds, of its value as an unsigned and as a signed number; each narrows the other where the sign is
 * known. They are kept as numbers of 128 bits, so that sums do not wrap around unseen; terms of more than 64 bits have
 * none.
 */
#include "solve/internal.h"

#include <stdlib.h>

#define MOST_ROUNDS 6
#define MOST_TERMS 3000u     /* of a query, beyond which it is passed on */
#define FEW_POINTS (1u << 9) /* of a box, tried one by one */
#define MANY_POINTS (1u << 17)
#define MANY_EVALUATIONS (1u << 22) /* of terms, for many points */
#define LAST_POINTS (1u << 24)      /* when Z3 has given up */
#define LAST_EVALUATIONS (1u << 27)
#define WIDEST 64u

struct span {
  signed_bits low, high; /* empty if low > high */
};

struct box {
  struct span plain, sign; /* the value as an unsigned and as a signed number */
};

/* A term as the evaluation of many points wants it: its operands are places in the order. */
struct place {
  const struct term *term;
  uint32_t operands[3];
  unsigned widths[3];
  bool is_constraint;
};

struct points {
  VECTOR(struct place) places;
  VECTOR(bits) values;
};

struct intervals {
  struct stage stage;
  signed_bits most_points;
  struct box *boxes; /* by term; valid if the stamp is this query's */
  uint32_t *stamps;
  size_t size;
  uint32_t stamp;
  VECTOR(term_id) order; /* the terms of the query, operands first */
  struct points points;
  input_list inputs;
  bool changed, empty;
};

/* --- spans --- */

static signed_bits power(unsigned exponent) {
  return (signed_bits)1 << exponent;
}

static struct span all_plain(unsigned width) {
  return (struct span){0, power(width) - 1};
}

static struct span all_signed(unsigned width) {
  return (struct span){-power(width - 1), power(width - 1) - 1};
}

static struct span shifted(struct span a, signed_bits by) {
  return (struct span){a.low + by, a.high + by};
}

static struct span meet(struct span a, struct span b) {
  return (struct span){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

static struct span hull(struct span a, struct span b) {
  return (struct span){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static bool is_empty(struct span a) {
  return a.low > a.high;
}

static bool is_fixed(struct span a) {
  return a.low == a.high;
}

static struct span sum(struct span a, struct span b) {
  return (struct span){a.low + b.low, a.high + b.high};
}

static struct span difference(struct span a, struct span b) {
  return (struct span){a.low - b.high, a.high - b.low};
}

/* Numbers modulo 2^width, brought into the range that starts at `first`; all of it when they wrap around. */
static struct span wrapped(struct span a, signed_bits first, unsigned width) {
  const signed_bits turn = (a.low - first) >> width;
  if (turn != (a.high - first) >> width) return (struct span){first, first + power(width) - 1};
  return shifted(a, -turn * power(width));
}

static struct box box_of(struct span plain, struct span sign, unsigned width) {
  return (struct box){wrapped(plain, 0, width), wrapped(sign, -power(width - 1), width)};
}

static struct box all(unsigned width) {
  return (struct box){all_plain(width), all_signed(width)};
}

static struct box plain_box(struct span plain, unsigned width) {
  return (struct box){plain, all_signed(width)};
}

static struct box signed_box(struct span sign, unsigned width) {
  return (struct box){all_plain(width), sign};
}

static void reduce(struct box *box, unsigned width) {
  const signed_bits half = power(width - 1), full = power(width);
  if (box->plain.high < half) box->sign = meet(box->sign, box->plain);
  if (box->plain.low >= half) box->sign = meet(box->sign, shifted(box->plain, -full));
  if (box->sign.low >= 0) box->plain = meet(box->plain, box->sign);
  if (box->sign.high < 0) box->plain = meet(box->plain, shifted(box->sign, full));
}

/* --- boxes of terms --- */

static const struct term *term_of(const struct intervals *self, term_id id) {
  return term_at(self->stage.terms, id);
}

static unsigned width_of(const struct intervals *self, term_id id) {
  return term_of(self, id)->width;
}

static bool is_wide(const struct intervals *self, term_id id) {
  return width_of(self, id) > WIDEST;
}

static const struct box *box_at(const struct intervals *self, term_id id) {
  return &self->boxes[id];
}

static void narrow(struct intervals *self, term_id id, struct box by) {
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
  if (!is_wide(self, id)) narrow(self, id, plain_box(span, width_of(self, id)));
}

static void narrow_signed(struct intervals *self, term_id id, struct span span) {
  if (!is_wide(self, id)) narrow(self, id, signed_box(span, width_of(self, id)));
}

static void set_bit(struct intervals *self, term_id id, bool value) {
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

static struct box computed(const struct intervals *self, const struct term *term) {
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
  narrow(self, a, box_of(difference(box->plain, second.plain), difference(box->sign, second.sign), width));
  narrow(self, b, box_of(difference(box->plain, first.plain), difference(box->sign, first.sign), width));
}

static void ask_difference(struct intervals *self, const struct term *term, const struct box *box) {
  const term_id a = term->operands[0], b = term->operands[1];
  const struct box first = *box_at(self, a), second = *box_at(self, b);
  const unsigned width = term->width;
  narrow(self, a, box_of(sum(box->plain, second.plain), sum(box->sign, second.sign), width));
  narrow(self, b, box_of(difference(first.plain, box->plain), difference(first.sign, box->sign), width));
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
  if (bit_of(&first) == neutral) set_bit(self, term->operands[1], bit_of(box));
  if (bit_of(&second) == neutral) set_bit(self, term->operands[0], bit_of(box));
}

static struct span without(struct span span, signed_bits value) {
  if (span.low == value) span.low++;
  if (span.high == value) span.high--;
  return span;
}

static void exclude(struct intervals *self, term_id id, const struct box *value) {
  if (is_wide(self, id) || !is_fixed(value->plain) || !is_fixed(value->sign)) return;
  const struct box *box = box_at(self, id);
  narrow(self, id, (struct box){without(box->plain, value->plain.low), without(box->sign, value->sign.low)});
}

static void ask_equal(struct intervals *self, const struct term *term, bool holds) {
  const struct box first = *box_at(self, term->operands[0]), second = *box_at(self, term->operands[1]);
  if (holds) {
    narrow(self, term->operands[0], second);
    narrow(self, term->operands[1], first);
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
  set_bit(self, condition, taken);
  narrow(self, term->operands[taken ? 1 : 2], *box);
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

static void ask_operands(struct intervals *self, const struct term *term, const struct box *box) {
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

/* --- the terms of a query --- */

static void make_room(struct intervals *self) {
  const size_t count = terms_count(self->stage.terms) + 1;
  if (self->size >= count) return;
  self->boxes = memory_resize(self->boxes, 2 * count * sizeof *self->boxes);
  self->stamps = memory_resize(self->stamps, 2 * count * sizeof *self->stamps);
  for (size_t i = self->size; i < 2 * count; i++) self->stamps[i] = 0;
  self->size = 2 * count;
}

static void add_term(struct intervals *self, term_id id) {
  if (!id || self->stamps[id] == self->stamp) return;
  self->stamps[id] = self->stamp;
  const struct term *term = term_of(self, id);
  bits value;
  self->boxes[id] = all(term->width > WIDEST ? WIDEST : term->width);
  if (term->width <= WIDEST && term_is_constant(self->stage.terms, id, &value)) {
    const struct span fixed = {(signed_bits)value, (signed_bits)value};
    self->boxes[id].plain = fixed;
    reduce(&self->boxes[id], term->width);
  }
  vector_push(&self->order, id);
}

static bool has_operands(const struct term *term) {
  return term->kind != TERM_CONSTANT && term->kind != TERM_INPUT;
}

static void collect(struct intervals *self, const struct query *query) {
  make_room(self);
  self->stamp++;
  self->order.count = 0;
  for (size_t i = 0; i < query->count; i++) add_term(self, query->constraints[i]);
  if (query->target) add_term(self, query->target);
  for (size_t i = 0; i < self->order.count && i <= MOST_TERMS; i++) {
    const struct term *term = term_of(self, self->order.items[i]);
    if (has_operands(term))
      for (int k = 0; k < 3; k++) add_term(self, term->operands[k]);
  }
  if (self->order.count <= MOST_TERMS) self->order.count = sort_and_unite(self->order.items, self->order.count);
}

static bool is_followed(const struct intervals *self, const struct term *term) {
  if (!has_operands(term) || term->width > WIDEST) return false;
  for (int k = 0; k < 3 && term->operands[k]; k++)
    if (is_wide(self, term->operands[k])) return false;
  return true;
}

static void compute_all(struct intervals *self) {
  for (size_t i = 0; i < self->order.count && !self->empty; i++) {
    const struct term *term = term_of(self, self->order.items[i]);
    if (is_followed(self, term)) narrow(self, self->order.items[i], computed(self, term));
  }
}

static void ask_all(struct intervals *self) {
  for (size_t i = self->order.count; i-- > 0 && !self->empty;) {
    const struct term *term = term_of(self, self->order.items[i]);
    const struct box box = *box_at(self, self->order.items[i]);
    if (is_followed(self, term)) ask_operands(self, term, &box);
  }
}

static void propagate(struct intervals *self, const struct query *query) {
  self->empty = false;
  for (size_t i = 0; i < query->count; i++) set_bit(self, query->constraints[i], true);
  if (query->target) set_bit(self, query->target, true);
  self->changed = true;
  for (int round = 0; round < MOST_ROUNDS && self->changed && !self->empty; round++) {
    self->changed = false;
    compute_all(self);
    ask_all(self);
  }
}

/* --- points of the box --- */

static const struct box *box_of_input(const struct intervals *self, input_id input) {
  return box_at(self, term_input(self->stage.terms, input));
}

static bool is_wide_input(const struct intervals *self, input_id input) {
  return terms_input_width(self->stage.terms, input) > WIDEST;
}

static bits as_bits(const struct intervals *self, input_id input, signed_bits value) {
  return (bits)value & bits_mask(terms_input_width(self->stage.terms, input));
}

/* The corners of the box that are low or high everywhere, and the hint where it lies in it. */
static bool try_points(struct intervals *self, const struct query *query, struct model *model) {
  for (int point = 0; point < 4; point++) {
    query_start_model(query, model);
    for (size_t i = 0; i < self->inputs.count; i++) {
      const input_id input = self->inputs.items[i];
      if (is_wide_input(self, input)) continue;
      const struct box *box = box_of_input(self, input);
      const signed_bits hint = (signed_bits)model_value(model, input);
      const signed_bits corners[] = {box->plain.low, box->plain.high, box->sign.low, box->sign.high};
      if (point > 1 || hint < box->plain.low || hint > box->plain.high)
        model_set(model, input, as_bits(self, input, corners[point]));
    }
    if (query_holds(self->stage.terms, query, model)) return true;
  }
  return false;
}

/* The shorter of the two bounds. */
static struct span points_of(const struct intervals *self, input_id input) {
  const struct box *box = box_of_input(self, input);
  return box->plain.high - box->plain.low <= box->sign.high - box->sign.low ? box->plain : box->sign;
}

static bool has_few_points(const struct intervals *self, signed_bits most, signed_bits most_evaluations) {
  signed_bits points = 1;
  for (size_t i = 0; i < self->inputs.count; i++) {
    if (is_wide_input(self, self->inputs.items[i])) return false;
    const struct span span = points_of(self, self->inputs.items[i]);
    if (span.high - span.low >= most) return false;
    points *= span.high - span.low + 1;
    if (points > most) return false;
  }
  return points <= FEW_POINTS || points * (signed_bits)self->order.count <= most_evaluations;
}

static uint32_t place_of(const struct intervals *self, term_id id) {
  size_t low = 0, high = self->order.count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (self->order.items[middle] <= id)
      low = middle;
    else
      high = middle;
  }
  return (uint32_t)low;
}

static bool is_constraint(const struct query *query, term_id id) {
  for (size_t i = 0; i < query->count; i++)
    if (query->constraints[i] == id) return true;
  return query->target == id;
}

static void prepare_points(struct intervals *self, const struct query *query) {
  self->points.places.count = self->points.values.count = 0;
  for (size_t i = 0; i < self->order.count; i++) {
    struct place place = {.term = term_of(self, self->order.items[i])};
    place.is_constraint = is_constraint(query, self->order.items[i]);
    for (int k = 0; has_operands(place.term) && k < 3 && place.term->operands[k]; k++) {
      place.operands[k] = place_of(self, place.term->operands[k]);
      place.widths[k] = width_of(self, place.term->operands[k]);
    }
    vector_push(&self->points.places, place);
    vector_push(&self->points.values, 0);
  }
}

static bits value_at(const struct points *points, const struct place *place, const struct model *model) {
  const struct term *term = place->term;
  if (term->kind == TERM_CONSTANT) return (bits)term->value[1] << 64 | term->value[0];
  if (term->kind == TERM_INPUT) return model_value(model, (input_id)term->value[0]);
  bits values[3];
  for (int k = 0; k < 3; k++) values[k] = points->values.items[place->operands[k]];
  return term_operator_apply(term, place->widths, values);
}

/* Like query_holds, for one point after the other. */
static bool point_holds(struct points *points, const struct model *model) {
  for (size_t i = 0; i < points->places.count; i++) {
    const struct place *place = &points->places.items[i];
    points->values.items[i] = value_at(points, place, model);
    if (place->is_constraint && points->values.items[i] != 1) return false;
  }
  return true;
}

/* The next point, like counting; false after the last. */
static bool next_point(const struct intervals *self, struct model *model) {
  for (size_t i = 0; i < self->inputs.count; i++) {
    const input_id input = self->inputs.items[i];
    const struct span span = points_of(self, input);
    const bits value = model_value(model, input);
    if (value != as_bits(self, input, span.high)) {
      model_set(model, input, as_bits(self, input, (signed_bits)(value + 1)));
      return true;
    }
    model_set(model, input, as_bits(self, input, span.low));
  }
  return false;
}

static enum answer try_all(struct intervals *self, const struct query *query, struct model *model) {
  prepare_points(self, query);
  query_start_model(query, model);
  for (size_t i = 0; i < self->inputs.count; i++)
    model_set(model, self->inputs.items[i],
              as_bits(self, self->inputs.items[i], points_of(self, self->inputs.items[i]).low));
  do
    if (point_holds(&self->points, model)) return ANSWER_SATISFIABLE;
  while (next_point(self, model));
  return ANSWER_UNSATISFIABLE;
}

static enum answer solve(struct stage *stage, const struct query *query, struct model *model) {
  struct intervals *self = (struct intervals *)stage;
  collect(self, query);
  if (self->order.count > MOST_TERMS) return stage_pass_on(stage, query, model);
  propagate(self, query);
  if (self->empty) return ANSWER_UNSATISFIABLE;
  query_inputs(stage->terms, query, &self->inputs);
  if (try_points(self, query, model)) return ANSWER_SATISFIABLE;
  if (has_few_points(self, self->most_points, MANY_EVALUATIONS)) return try_all(self, query, model);
  const enum answer answer = stage_pass_on(stage, query, model);
  const bool is_last = self->most_points > FEW_POINTS;
  if (answer != ANSWER_UNKNOWN || !is_last || !has_few_points(self, LAST_POINTS, LAST_EVALUATIONS)) return answer;
  return try_all(self, query, model);
}

static void destroy(struct stage *stage) {
  struct intervals *self = (struct intervals *)stage;
  vector_free(&self->order);
  vector_free(&self->inputs);
  vector_free(&self->points.places);
  vector_free(&self->points.values);
  free(self->boxes);
  free(self->stamps);
  free(self);
}

static struct stage *create(const struct stage_class *class, struct terms *terms, struct stage *next, uint32_t most) {
  struct intervals *self = memory_allocate(sizeof *self);
  self->stage = (struct stage){.class = class, .next = next, .terms = terms};
  self->most_points = most;
  return &self->stage;
}

struct stage *intervals_stage(struct terms *terms, struct stage *next) {
  static const struct stage_class class = {.name = "intervals", .solve = solve, .destroy = destroy};
  return create(&class, terms, next, FEW_POINTS);
}

struct stage *enumeration_stage(struct terms *terms, struct stage *next) {
  static const struct stage_class class = {.name = "enumeration", .solve = solve, .destroy = destroy};
  return create(&class, terms, next, MANY_POINTS);
}
