/* SPDX-License-Identifier: MIT
 *
 * Decisions of a trace: the side that was taken goes into the forest, the others dangle.
 */
#include "explore/con2colic/extract_internal.h"

#define OUTSIDE 1 /* alternative of a BRANCH: the address is none of the object's */

static bool has_many_values(const struct decision *decision) {
  return decision->kind == DECISION_ADDRESS || decision->kind == DECISION_PIN;
}

static void add_other_values(struct extraction *self, node_id parent, const struct node *taken) {
  struct terms *terms = inputs_terms(self->inputs);
  term_id other = term_not(terms, taken->term);
  uint32_t values = 0;
  for (node_id id = forest_at(self->forest, parent)->child; id; id = forest_at(self->forest, id)->sibling) {
    struct node *node = forest_at(self->forest, id);
    if (node->kind != NODE_BRANCH || node->alternative == OUTSIDE) continue;
    values++;
    if (!(node->flags & NODE_RARE) || node->flags & NODE_CLOSED) continue;
    node->flags |= NODE_CLOSED;
    extraction_stamp(self, id, 0);
    other = term_make(terms, TERM_AND, other, node->term, 0);
  }
  bits value;
  if (term_is_constant(terms, other, &value) && value != 1) return;
  if (self->max_values && values > 2 * self->max_values) {
    self->values_left |= taken->event == DECISION_ADDRESS;
    self->pins_left |= taken->event == DECISION_PIN;
    return;
  }
  struct node what = *taken;
  what.term = other;
  what.value = ~taken->value;
  what.flags = NODE_RARE;
  extraction_add_dangling(self, parent, &what);
}

/* An address outside of an object with more addresses than are asked for is looked for by itself. */
static void add_outside(struct extraction *self, node_id parent, const struct node *taken,
                        const struct decision *decision) {
  struct terms *terms = inputs_terms(self->inputs);
  if (decision->kind != DECISION_ADDRESS || decision->high == 0) return;
  if (self->max_values == 0 || decision->high - decision->low < self->max_values) return;
  const unsigned width = term_at(terms, taken->symbol)->width;
  const term_id low = term_constant(terms, width, decision->low), high = term_constant(terms, width, decision->high);
  const term_id above = term_make(terms, TERM_LESS, high, taken->symbol, 0);
  const term_id below = term_make(terms, TERM_LESS, taken->symbol, low, 0);
  bits value;
  struct node what = *taken;
  what.term = term_make(terms, TERM_OR, above, below, 0);
  what.value = decision->high;
  what.flags = NODE_RARE;
  what.alternative = OUTSIDE;
  if (!term_is_constant(terms, what.term, &value) || value == 1) extraction_add_dangling(self, parent, &what);
}

static void add_other_side(struct extraction *self, node_id parent, const struct node *taken) {
  struct node what = *taken;
  what.value = !taken->value;
  what.term = what.value ? taken->symbol : term_not(inputs_terms(self->inputs), taken->symbol); /* as a run says it */
  what.flags = 0;
  extraction_add_dangling(self, parent, &what);
}

void extraction_read_decision(struct extraction *self, const struct trace_view *trace, uint32_t i) {
  const struct decision *decision = &trace->decisions[i];
  const term_id side = decision->kind == DECISION_NONE ? 0 : path_side(self->path, i);
  if (!side || !extraction_is_followed(self, decision->thread)) return;
  const bool is_many = has_many_values(decision);
  const struct node taken = {.kind = NODE_BRANCH,
                             .thread = decision->thread,
                             .event = decision->kind,
                             .site = decision->site,
                             .term = side,
                             .symbol = path_term(self->path, decision->term),
                             .value = is_many ? decision->value : decision->value & 1};
  const node_id parent = self->present.items[decision->thread];
  const node_id known = forest_find(self->forest, parent, &taken);
  const bool was_realised = known && forest_at(self->forest, known)->flags & NODE_REALISED;
  extraction_go_on(self, &taken, 0);
  if (was_realised || decision->kind == DECISION_GIVEN) return;
  if (decision->kind == DECISION_ASSUME && taken.value) return;
  if (is_many) {
    add_outside(self, parent, &taken, decision);
    add_other_values(self, parent, &taken);
  } else
    add_other_side(self, parent, &taken);
}
