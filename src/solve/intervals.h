/* SPDX-License-Identifier: MIT
 *
 * For intervals.c, interval_rules.c and interval_points.c alone: bounds, and the state of the stage.
 *
 * A term has two bounds, of its value as an unsigned and as a signed number; each narrows the other where the sign is
 * known. They are kept as numbers of 128 bits, so that sums do not wrap around unseen; terms of more than 64 bits have
 * none.
 */
#ifndef HEDDLE_SOLVE_INTERVALS_H
#define HEDDLE_SOLVE_INTERVALS_H

#include "solve/internal.h"

#define FEW_POINTS (1u << 9) /* of a box, tried one by one */
#define WIDEST 64u

struct span {
  signed_bits low, high; /* empty if low > high */
};

struct box {
  struct span plain, sign; /* the value as an unsigned and as a signed number */
};

/* A term as the evaluation of many points wants it: its operands are places in the order. */
struct point_place {
  const struct term *term;
  uint32_t operands[3];
  unsigned widths[3];
  bool is_constraint;
};

struct points {
  VECTOR(struct point_place) places;
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

static inline signed_bits power(unsigned exponent) {
  return (signed_bits)1 << exponent;
}

static inline struct span all_plain(unsigned width) {
  return (struct span){0, power(width) - 1};
}

static inline struct span all_signed(unsigned width) {
  return (struct span){-power(width - 1), power(width - 1) - 1};
}

static inline struct span shifted(struct span a, signed_bits by) {
  return (struct span){a.low + by, a.high + by};
}

static inline struct span meet(struct span a, struct span b) {
  return (struct span){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

static inline struct span hull(struct span a, struct span b) {
  return (struct span){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static inline bool is_empty(struct span a) {
  return a.low > a.high;
}

static inline bool is_fixed(struct span a) {
  return a.low == a.high;
}

static inline struct span sum(struct span a, struct span b) {
  return (struct span){a.low + b.low, a.high + b.high};
}

static inline struct span difference(struct span a, struct span b) {
  return (struct span){a.low - b.high, a.high - b.low};
}

/* Numbers modulo 2^width, brought into the range that starts at `first`; all of it when they wrap around. */
static inline struct span wrapped(struct span a, signed_bits first, unsigned width) {
  const signed_bits turn = (a.low - first) >> width;
  if (turn != (a.high - first) >> width) return (struct span){first, first + power(width) - 1};
  return shifted(a, -turn * power(width));
}

static inline struct box box_of(struct span plain, struct span sign, unsigned width) {
  return (struct box){wrapped(plain, 0, width), wrapped(sign, -power(width - 1), width)};
}

static inline struct box all(unsigned width) {
  return (struct box){all_plain(width), all_signed(width)};
}

static inline struct box plain_box(struct span plain, unsigned width) {
  return (struct box){plain, all_signed(width)};
}

static inline struct box signed_box(struct span sign, unsigned width) {
  return (struct box){all_plain(width), sign};
}

static inline void reduce(struct box *box, unsigned width) {
  const signed_bits half = power(width - 1), full = power(width);
  if (box->plain.high < half) box->sign = meet(box->sign, box->plain);
  if (box->plain.low >= half) box->sign = meet(box->sign, shifted(box->plain, -full));
  if (box->sign.low >= 0) box->plain = meet(box->plain, box->sign);
  if (box->sign.high < 0) box->plain = meet(box->plain, shifted(box->sign, full));
}

/* --- boxes of terms --- */

static inline const struct term *term_of(const struct intervals *self, term_id id) {
  return term_at(self->stage.terms, id);
}

static inline unsigned width_of(const struct intervals *self, term_id id) {
  return term_of(self, id)->width;
}

static inline bool is_wide(const struct intervals *self, term_id id) {
  return width_of(self, id) > WIDEST;
}

static inline const struct box *box_at(const struct intervals *self, term_id id) {
  return &self->boxes[id];
}

static inline bool has_operands(const struct term *term) {
  return term->kind != TERM_CONSTANT && term->kind != TERM_INPUT;
}

/* The term is in the box, too. Notes whether that changes anything, and whether nothing is left. */
void intervals_narrow(struct intervals *self, term_id id, struct box by);
void intervals_set_bit(struct intervals *self, term_id id, bool value);
/* From operands to terms: what the bounds of its operands say about a term. */
struct box intervals_compute(const struct intervals *self, const struct term *term);
/* From terms to operands: what the bounds of a term say about its operands. */
void intervals_ask_operands(struct intervals *self, const struct term *term, const struct box *box);

/* A few points of the box that is left. */
bool intervals_try_points(struct intervals *self, const struct query *query, struct model *model);
/* Are there so few of them, or so few evaluations of terms for all of them, that all can be tried? */
bool intervals_have_few_points(const struct intervals *self, signed_bits most, signed_bits most_evaluations);
enum answer intervals_try_all(struct intervals *self, const struct query *query, struct model *model);

#endif
