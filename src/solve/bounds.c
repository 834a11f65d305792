/* SPDX-License-Identifier: MIT
 *
 * Constraints that compare an input with a constant, decided exactly: per input an unsigned interval, a signed interval
 * and a list of excluded values; the smallest value in all of them is taken, preferring the hint's. If an input's
 * bounds contradict each other there is no solution, whatever the other constraints say; a solution is given when all
 * constraints are of this form, or when the others happen to hold.
 */
#include "solve/internal.h"

#include <stdlib.h>

struct interval {
  bits low, high; /* empty if low > high */
};

struct range {
  input_id input;
  unsigned width;
  struct interval values;  /* unsigned */
  struct interval flipped; /* signed, with the sign bit inverted so that the order is the unsigned one */
  VECTOR(bits) excluded;
};

struct bounds {
  struct stage stage;
  VECTOR(struct range) ranges; /* the first n_ranges of them are in use; the others keep their memory */
  size_t n_ranges;
  VECTOR(uint32_t) places; /* by input: where its range is, if it is there */
};

static bits sign_bit(unsigned width) {
  return (bits)1 << (width - 1);
}

static struct range *new_range(struct bounds *self, const struct term *input) {
  const struct interval all = {0, bits_mask(input->width)};
  if (self->n_ranges == self->ranges.count) vector_push(&self->ranges, (struct range){0});
  struct range *range = &self->ranges.items[self->n_ranges++];
  range->input = (input_id)input->value[0];
  range->width = input->width;
  range->values = range->flipped = all;
  range->excluded.count = 0;
  return range;
}

static struct range *range_of(struct bounds *self, const struct term *input) {
  const input_id id = (input_id)input->value[0];
  while (self->places.count <= id) vector_push(&self->places, 0);
  const uint32_t place = self->places.items[id];
  if (place < self->n_ranges && self->ranges.items[place].input == id) return &self->ranges.items[place];
  self->places.items[id] = (uint32_t)self->n_ranges;
  return new_range(self, input);
}

static void at_least(struct interval *interval, bits low) {
  if (low > interval->low) interval->low = low;
}

static void at_most(struct interval *interval, bits high) {
  if (high < interval->high) interval->high = high;
}

static void make_empty(struct interval *interval) {
  *interval = (struct interval){1, 0};
}

/* input < constant (or <=) with `input_first`, otherwise constant < input. */
static void narrow(struct range *range, enum term_operator kind, bits constant, bool input_first) {
  const bool is_signed = kind == TERM_LESS_SIGNED || kind == TERM_LESS_EQUAL_SIGNED;
  const bool strict = kind == TERM_LESS || kind == TERM_LESS_SIGNED;
  struct interval *interval = is_signed ? &range->flipped : &range->values;
  const bits bound = is_signed ? constant ^ sign_bit(range->width) : constant;
  if (input_first && strict && bound == 0)
    make_empty(interval);
  else if (input_first)
    at_most(interval, bound - strict);
  else if (strict && bound == bits_mask(range->width))
    make_empty(interval);
  else
    at_least(interval, bound + strict);
}

static bool is_comparison(enum term_operator kind) {
  return kind == TERM_LESS || kind == TERM_LESS_EQUAL || kind == TERM_LESS_SIGNED || kind == TERM_LESS_EQUAL_SIGNED;
}

/* Takes a constraint in; false if it is not of the form. */
static bool take_in(struct bounds *self, term_id constraint) {
  struct terms *terms = self->stage.terms;
  const struct term *term = term_at(terms, constraint);
  bits value;
  const bool negated =
      term->kind == TERM_XOR && term->width == 1 && term_is_constant(terms, term->operands[1], &value) && value == 1;
  if (negated) term = term_at(terms, term->operands[0]);
  if (term->kind == TERM_INPUT && term->width == 1) {
    struct range *range = range_of(self, term);
    at_least(&range->values, !negated);
    at_most(&range->values, !negated);
    return true;
  }
  if (term->kind != TERM_EQUAL && (negated || !is_comparison(term->kind))) return false;
  const struct term *a = term_at(terms, term->operands[0]), *b = term_at(terms, term->operands[1]);
  const bool input_first = a->kind == TERM_INPUT;
  if (!(input_first ? term_is_constant(terms, term->operands[1], &value)
                    : b->kind == TERM_INPUT && term_is_constant(terms, term->operands[0], &value)))
    return false;
  struct range *range = range_of(self, input_first ? a : b);
  if (term->kind != TERM_EQUAL) {
    narrow(range, term->kind, value, input_first);
  } else if (negated) {
    vector_push(&range->excluded, value);
  } else {
    at_least(&range->values, value);
    at_most(&range->values, value);
  }
  return true;
}

static int compare_bits(const void *a, const void *b) {
  const bits x = *(const bits *)a, y = *(const bits *)b;
  return (x > y) - (x < y);
}

static bool is_inside(const struct range *range, bits value) {
  const bits flipped = value ^ sign_bit(range->width);
  return value >= range->values.low && value <= range->values.high && flipped >= range->flipped.low &&
         flipped <= range->flipped.high;
}

/* The smallest value of an interval of unsigned values that is not excluded. */
static bool smallest_in(const struct range *range, struct interval interval, bits *value) {
  if (interval.low > interval.high) return false;
  *value = interval.low;
  for (size_t i = 0; i < range->excluded.count; i++) {
    if (range->excluded.items[i] != *value) continue;
    if (*value == interval.high) return false;
    ++*value;
  }
  return true;
}

/* The signed interval is one interval of unsigned values, or two when it has values of both signs. */
static bool smallest_value(const struct range *range, bits *value) {
  const bits sign = sign_bit(range->width);
  const struct interval *flipped = &range->flipped;
  if (flipped->low > flipped->high || range->values.low > range->values.high) return false;
  struct interval pieces[2];
  if ((flipped->low & sign) == (flipped->high & sign)) {
    pieces[0] = (struct interval){flipped->low ^ sign, flipped->high ^ sign};
    pieces[1] = (struct interval){1, 0};
  } else {
    pieces[0] = (struct interval){0, flipped->high ^ sign};
    pieces[1] = (struct interval){flipped->low ^ sign, bits_mask(range->width)};
  }
  for (int i = 0; i < 2; i++) {
    at_least(&pieces[i], range->values.low);
    at_most(&pieces[i], range->values.high);
    if (smallest_in(range, pieces[i], value)) return true;
  }
  return false;
}

static bool is_excluded(const struct range *range, bits value) {
  for (size_t i = 0; i < range->excluded.count; i++)
    if (range->excluded.items[i] == value) return true;
  return false;
}

/* False: the input has no value. */
static bool choose(struct range *range, struct model *model) {
  const bits hint = model_value(model, range->input);
  if (is_inside(range, hint) && !is_excluded(range, hint)) return true;
  if (range->excluded.count > 0)
    qsort(range->excluded.items, range->excluded.count, sizeof *range->excluded.items, compare_bits);
  bits value;
  if (!smallest_value(range, &value)) return false;
  model_set(model, range->input, value);
  return true;
}

static void restore(struct bounds *self, const struct query *query, struct model *model) {
  for (size_t i = 0; i < self->n_ranges; i++) {
    const input_id input = self->ranges.items[i].input;
    model_set(model, input, query->hint ? model_value(query->hint, input) : 0);
  }
}

static enum answer solve(struct stage *stage, const struct query *query, struct model *model) {
  struct bounds *self = (struct bounds *)stage;
  bool all = true;
  self->n_ranges = 0;
  for (size_t i = 0; i < query->count; i++) all &= take_in(self, query->constraints[i]);
  for (size_t i = 0; i < self->n_ranges; i++)
    if (!choose(&self->ranges.items[i], model)) return ANSWER_UNSATISFIABLE;
  if (all || query_holds(stage->terms, query, model)) return ANSWER_SATISFIABLE;
  restore(self, query, model);
  return stage_pass_on(stage, query, model);
}

static void destroy(struct stage *stage) {
  struct bounds *self = (struct bounds *)stage;
  for (size_t i = 0; i < self->ranges.count; i++) vector_free(&self->ranges.items[i].excluded);
  vector_free(&self->ranges);
  vector_free(&self->places);
  free(self);
}

static const struct stage_class class = {.name = "bounds", .solve = solve, .destroy = destroy};

struct stage *bounds_stage(struct terms *terms, struct stage *next) {
  struct bounds *self = memory_allocate(sizeof *self);
  self->stage = (struct stage){.class = &class, .next = next, .terms = terms};
  return &self->stage;
}
