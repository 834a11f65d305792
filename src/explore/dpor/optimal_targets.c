/* SPDX-License-Identifier: MIT
 *
 * What strategy `optimal` runs next: the leftmost leaf of the tree that waits for its run, or, where a step has decided
 * on inputs, the next other side for which the solver finds some. A plan has the steps to the leaf, and the steps that
 * are asleep there if that cannot be computed beforehand.
 */
#include "explore/dpor/optimal.h"

#include "base/error.h"

#include <stdlib.h>

#define MOST_QUESTIONS 64 /* in vain, before the loop may look at the clock */

/* For other inputs a compare-and-exchange may go another way, and a step that ended the run may not. */
static bool depends_on_inputs(const struct event *event) {
  return event_is_exchange(event) || event_effect_of(event) == EFFECT_STOPS;
}

/* Inputs for the next side of a decision after the step to the node: the same step, deciding so, becomes a leaf. NULL:
 * that was in vain. */
static struct wakeup_node *take_side(struct optimal *self, struct wakeup_node *node, enum answer *answer) {
  struct open_sides *open = node->sides;
  struct wakeup_node *leaf = NULL;
  struct values *values = NULL;
  term_list constraints = {0};
  term_id constraint;
  wakeup_list_constraints(node, open->before, &constraints);
  *answer =
      sides_next(&open->sides, self->inputs, constraints.items, constraints.count, node->values, &values, &constraint);
  vector_free(&constraints);
  notes_look_at_answer(&self->notes, &open->sides, *answer);
  if (*answer == ANSWER_SATISFIABLE) {
    leaf = wakeup_add_left(&self->tree, node, &node->event);
    leaf->decided = decided_turn(node->decided, open->before, constraint);
    leaf->n_turned = leaf->decided->count;
    leaf->is_guess = depends_on_inputs(&leaf->event);
    wakeup_add_leaf(&self->tree, leaf, values);
    values_release(values);
  }
  if (open->sides.stage == SIDES_OVER) wakeup_end_sides(&self->tree, node);
  return leaf;
}

static struct wakeup_node *take_leaf(struct optimal *self) {
  enum answer answer = ANSWER_UNSATISFIABLE;
  struct wakeup_node *leaf = NULL;
  for (int i = 0; i < MOST_QUESTIONS && answer == ANSWER_UNSATISFIABLE; i++) {
    struct wakeup_node *node = wakeup_take_awaited(&self->tree);
    if (!node) node = wakeup_leftmost(&self->tree);
    if (!node) return NULL;
    leaf = node->sides ? take_side(self, node, &answer) : node;
    if (!leaf) continue;
    wakeup_take_leaf(&self->tree, leaf);
    break;
  }
  return leaf;
}

static bool is_listed(const event_list *list, thread_id thread) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].thread == thread) return true;
  return false;
}

/* Where something may be left asleep after the leaf, the run takes what is awake as long as it can. */
static void list_sleepers(struct optimal *self, const struct wakeup_node *leaf, event_list *list) {
  const struct wakeup_node *reached = optimal_reached_above(leaf->parent);
  sleeper_list sleep = {0};
  for (uint32_t i = 0; i < reached->n_sleep; i++) vector_push(&sleep, reached->sleep[i]);
  for (uint32_t depth = reached->depth + 1; depth <= leaf->depth; depth++) {
    const struct wakeup_node *node = leaf;
    while (node->depth > depth) node = node->parent;
    sleepers_add_left_of(&sleep, node->parent, node);
    if (node != leaf) sleepers_pass(&sleep, &node->event);
  }
  for (size_t i = 0; i < sleep.count; i++) {
    const struct event *event = &sleep.items[i].event;
    const bool sleeps = event->thread != leaf->event.thread && event->alternatives <= 1 && !sleep.items[i].decided;
    if (sleeps && !is_listed(list, event->thread)) vector_push(list, *event);
  }
  vector_free(&sleep);
}

/* Targets are given out in batches, from left to right: runs of one batch are near each other in the tree, and so have
 * much in common with the run before. */
static bool is_giving_out(struct optimal *self) {
  if (self->n_under_way <= FEW_UNDER_WAY) self->is_giving_out = true;
  return self->is_giving_out;
}

static struct optimal_attempt *new_attempt(struct optimal *self, struct wakeup_node *leaf) {
  struct optimal_attempt *attempt = self->unused;
  BUG_ON(!attempt);
  self->unused = attempt->next;
  if (++self->n_under_way == WINDOW) self->is_giving_out = false;
  attempt->leaf = leaf;
  attempt->epoch = self->tree.epoch > 0 ? leaf->epoch : 0;
  attempt->is_probe = leaf->was_reached && leaf->depth > 0;
  attempt->record_from = attempt->epoch < self->tree.epoch ? 0 : optimal_reached_above(leaf)->depth;
  return attempt;
}

bool optimal_next(void *memory, struct target *target) {
  struct optimal *self = memory;
  if (!is_giving_out(self)) return false;
  struct wakeup_node *leaf = take_leaf(self);
  if (!leaf) return false;
  struct optimal_attempt *attempt = new_attempt(self, leaf);
  optimal_write_steps(self, leaf, &target->prefix);
  if (leaf->values) inputs_append_values(self->inputs, leaf->values, &target->inputs);
  if (leaf->is_guess) list_sleepers(self, leaf, &target->sleepers);
  target->plan.record_from = attempt->record_from;
  target->plan.seen = 1 + (uint32_t)self->versions.items[attempt->epoch];
  if (leaf->is_unsure) target->plan.flags |= PLAN_TRY_LAST;
  target->plan.policy = self->policy;
  target->plan.seed = self->seed + self->runs++;
  target->plan.runs = 1;
  target->cookie = attempt;
  target->is_probe = attempt->is_probe;
  return true;
}
