/* SPDX-License-Identifier: MIT
 *
 * Points of the box that propagation leaves: a few of them, or all one by one.
 */
#include "solve/intervals.h"

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
bool intervals_try_points(struct intervals *self, const struct query *query, struct model *model) {
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

bool intervals_have_few_points(const struct intervals *self, signed_bits most, signed_bits most_evaluations) {
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
    struct point_place place = {.term = term_of(self, self->order.items[i])};
    place.is_constraint = is_constraint(query, self->order.items[i]);
    for (int k = 0; has_operands(place.term) && k < 3 && place.term->operands[k]; k++) {
      place.operands[k] = place_of(self, place.term->operands[k]);
      place.widths[k] = width_of(self, place.term->operands[k]);
    }
    vector_push(&self->points.places, place);
    vector_push(&self->points.values, 0);
  }
}

static bits value_at(const struct points *points, const struct point_place *place, const struct model *model) {
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
    const struct point_place *place = &points->places.items[i];
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

enum answer intervals_try_all(struct intervals *self, const struct query *query, struct model *model) {
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
