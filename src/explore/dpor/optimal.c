/* SPDX-License-Identifier: MIT
 *
 * Optimal dynamic partial order reduction (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014): exactly one run per class of
 * runs that differ only in the order of steps that commute. docs/algorithms/dpor.md has the argument.
 *
 * When a run comes back, every race between two of its steps is reversed: at the point before the earlier one, the
 * steps in between that do not happen after it and then the later one are a way to go (order_reverse). Unless what
 * follows is explored elsewhere, they are added to the tree there: along the children that could be moved in front of
 * them, then as a new branch. Its leaf waits for a run, which follows the branch and then goes on by itself.
 *
 * Where a run comes to the end of its branch nothing is asleep, as every step asleep at the beginning depends on one
 * of the branch: no run is in vain. What the last step of a reversal touches in its new place is computed
 * (order_reverse), down to whether a compare-and-exchange succeeds there. Where that cannot be (a step that ended the
 * run), it is a guess: something may be left asleep, and the run is given up where it would take that.
 *
 * How a thread decides on inputs behind its step is an outcome of the step. Inputs for the other sides are asked for
 * where nothing is asleep; a branch has the inputs of the run that showed it.
 */
#include "explore/strategy/strategy.h"

#include "base/error.h"
#include "explore/dpor/insertion.h"
#include "explore/strategy/input_notes.h"
#include "trace/order.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW 64
#define MOST_QUESTIONS 64 /* in vain, before the loop may look at the clock */

/* A run under way to `leaf`. The first run has the point before all steps for one. */
struct attempt {
  struct node *leaf;
  uint32_t record_from;
  struct attempt *next; /* in the list of unused ones */
};

/* A race of the run that is being absorbed. */
struct found {
  struct race race;
  uint32_t later;
  bool is_again; /* it has been reversed in another run */
};

struct optimal {
  struct wakeup tree;
  struct inputs *inputs; /* NULL: none */
  struct order *order;
  VECTOR(uint64_t) pushed;    /* ids of the nodes behind the steps in the order */
  VECTOR(struct node *) path; /* from depth 0 to the point of the run that is being absorbed */
  VECTOR(struct found) found;
  struct insertion insertion; /* of the race that is being reversed */
  sleeper_list sleep;         /* at a new point */
  const struct path *taken;   /* by the run that is being absorbed; NULL: it has no inputs */
  term_list constraints;
  struct input_notes notes;
  struct attempt attempts[WINDOW];
  struct attempt *unused;
  struct deadline *deadline;
  uint64_t seed, runs, events, blocked_runs;
  enum policy policy;
  bool is_cut_short; /* the run that is being absorbed */
  bool has_cut;      /* one was, now or earlier */
  bool was_wrong;    /* a step of a branch touched something else than was computed for it */
};

/* ---- life ---- */

static void put_back(struct optimal *self, struct attempt *attempt) {
  attempt->next = self->unused;
  self->unused = attempt;
}

static void *optimal_create(const struct strategy_settings *settings) {
  struct optimal *self = memory_allocate(sizeof *self);
  wakeup_init(&self->tree);
  wakeup_add_leaf(&self->tree, wakeup_add(&self->tree, self->tree.top, &(struct event){.thread = NO_THREAD}), NULL);
  self->inputs = settings->inputs;
  self->order = order_create();
  for (size_t i = 0; i < WINDOW; i++) put_back(self, &self->attempts[i]);
  self->deadline = settings->deadline;
  self->seed = settings->seed;
  self->policy = settings->takes_first ? POLICY_CONTINUE : POLICY_RANDOM;
  return self;
}

static void optimal_destroy(void *memory) {
  struct optimal *self = memory;
  wakeup_free(&self->tree);
  order_destroy(self->order);
  vector_free(&self->pushed);
  vector_free(&self->path);
  vector_free(&self->found);
  insertion_free(&self->insertion);
  vector_free(&self->sleep);
  vector_free(&self->constraints);
  free(self);
}

/* ---- yielding ---- */

static struct node *reached_above(struct node *node) {
  while (!node->was_reached) node = node->parent;
  return node;
}

/* For other inputs a compare-and-exchange may go another way, and a step that ended the run may not. */
static bool depends_on_inputs(const struct event *event) {
  return event->kind == EVENT_ATOMIC_EXCHANGE_DONE || event->kind == EVENT_ATOMIC_EXCHANGE_FAILED ||
         event->kind == EVENT_RUN_END;
}

/* Inputs for the next side of a decision behind the step to the node: the same step, deciding so, becomes a leaf. NULL:
 * that was in vain. */
static struct node *take_side(struct optimal *self, struct node *node, enum answer *answer) {
  struct open_sides *open = node->sides;
  struct node *leaf = NULL;
  struct values *values = NULL;
  term_id constraint;
  wakeup_list_constraints(node, open->before, &self->constraints);
  *answer = sides_next(&open->sides, self->inputs, self->constraints.items, self->constraints.count, node->values,
                       &values, &constraint);
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

static struct node *take_leaf(struct optimal *self) {
  enum answer answer = ANSWER_UNSATISFIABLE;
  struct node *leaf = NULL;
  for (int i = 0; i < MOST_QUESTIONS && answer == ANSWER_UNSATISFIABLE; i++) {
    struct node *node = wakeup_leftmost(&self->tree);
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

/* Where something may be left asleep behind the leaf, the run takes what is awake as long as it can. */
static void list_sleepers(struct optimal *self, const struct node *leaf, event_list *list) {
  const struct node *reached = leaf->parent;
  sleeper_list sleep = {0};
  while (!reached->was_reached) reached = reached->parent;
  for (uint32_t i = 0; i < reached->n_sleep; i++) vector_push(&sleep, reached->sleep[i]);
  for (uint32_t depth = reached->depth + 1; depth <= leaf->depth; depth++) {
    const struct node *node = leaf;
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

static bool optimal_next(void *memory, struct target *target) {
  struct optimal *self = memory;
  struct attempt *attempt = self->unused;
  BUG_ON(!attempt);
  struct node *leaf = take_leaf(self);
  if (!leaf) return false;
  self->unused = attempt->next;
  attempt->leaf = leaf;
  attempt->record_from = reached_above(leaf)->depth;
  wakeup_append_steps(leaf, &target->prefix);
  if (leaf->values) inputs_append_values(self->inputs, leaf->values, &target->inputs);
  if (leaf->is_guess) list_sleepers(self, leaf, &target->sleepers);
  target->plan.record_from = attempt->record_from;
  if (leaf->is_unsure) target->plan.flags |= PLAN_TRY_LAST;
  target->plan.policy = self->policy;
  target->plan.seed = self->seed + self->runs++;
  target->plan.runs = 1;
  target->cookie = attempt;
  return true;
}

/* ---- the steps before a point ---- */

static void list_path(struct optimal *self, struct node *node) {
  while (self->path.count <= node->depth) vector_push(&self->path, NULL);
  self->path.count = node->depth + 1;
  for (; node->parent; node = node->parent) self->path.items[node->depth] = node;
}

static void push_node(struct optimal *self, const struct node *node) {
  const bool is_wide = node->n_words > 0;
  order_push(self->order, &node->event, is_wide ? node->words : &node->event.enabled, is_wide ? node->n_words : 1);
  for (uint32_t i = 0; i < node->n_more; i++) order_push(self->order, &node->more[i], NULL, 0);
  vector_push(&self->pushed, node->id);
}

static void push_event(struct optimal *self, const struct trace_view *trace, const struct event *event) {
  if (!event_is_step(event)) {
    order_push(self->order, event, NULL, 0);
    return;
  }
  order_push(self->order, event, trace_enabled_set(trace, event), trace_enabled_words(trace, event));
  vector_push(&self->pushed, 0);
}

/* Makes the order that of the steps to the node. */
static void go_to(struct optimal *self, struct node *node) {
  list_path(self, node);
  uint32_t common = order_length(self->order) < node->depth ? order_length(self->order) : node->depth;
  while (common > 0 && self->pushed.items[common - 1] != self->path.items[common]->id) common--;
  order_pop(self->order, common);
  self->pushed.count = common;
  for (uint32_t depth = common + 1; depth <= node->depth; depth++) push_node(self, self->path.items[depth]);
}

static struct values *values_of_run(const struct optimal *self) {
  return self->taken ? self->taken->values : NULL;
}

/* ---- new branches ---- */

/* A run that was cut short does not say what a thread would have done that did not move behind this depth: it may have
 * been in the way of the step, had there been time. */
static bool is_unknown(const struct optimal *self, const struct event *event, uint32_t depth) {
  return self->is_cut_short && order_last_step_of(self->order, event->thread) <= depth;
}

/* Arrivals at a barrier say how many there were, which is different in another order. */
static void count_arrivals(struct optimal *self, uint32_t depth, size_t at) {
  struct event *event = &self->insertion.steps.items[at].event;
  if (event->kind != EVENT_BARRIER_ARRIVE) return;
  event->value = order_arrived_before(self->order, depth, event) + 1;
  for (size_t i = 0; i < at; i++)
    event->value += self->insertion.steps.items[i].event.kind == EVENT_BARRIER_ARRIVE &&
                    self->insertion.steps.items[i].event.object == event->object;
  if (event->size && event->value > event->size) event->value -= event->size;
}

static void add_to_rest(struct optimal *self, uint32_t step) {
  const bool has_node = step + 1 < self->path.count;
  vector_push(&self->insertion.steps, ((struct planned){*order_event(self->order, step),
                                                        has_node ? self->path.items[step + 1]->decided : NULL, false}));
}

/* A choice that a thread makes on its own comes right behind its step before. */
static bool is_own_choice(const struct event *event) {
  return event_dependence_of(event) == DEPENDENCE_INDEPENDENT;
}

static void list_steps(struct optimal *self, const struct reversal_steps *reversal, uint32_t later, bool before) {
  bool is_before = false;
  for (size_t i = 0; i < reversal->count; i++) {
    const struct event *event = order_event(self->order, reversal->steps[i]);
    if (!is_own_choice(event)) is_before = order_happens_before(self->order, reversal->steps[i], later);
    if (is_before == before) add_to_rest(self, reversal->steps[i]);
  }
}

static void list_all_steps(struct optimal *self, const struct reversal_steps *reversal) {
  for (size_t i = 0; i < reversal->count; i++) add_to_rest(self, reversal->steps[i]);
}

/* Can the later step of the race be moved in front of those that do not happen before it? In its new place it may be
 * another than it was. */
static bool can_come_early(const struct optimal *self, const struct found *found,
                           const struct reversal_steps *reversal) {
  if (found->race.is_unsure || found->later == order_length(self->order)) return false;
  if (events_touch_the_same(&reversal->last, order_event(self->order, found->later))) return true;
  for (size_t i = 0; i < reversal->count; i++) {
    const uint32_t step = reversal->steps[i];
    if (!order_happens_before(self->order, step, found->later) &&
        events_depend(&reversal->last, order_event(self->order, step)))
      return false;
  }
  return true;
}

/* The steps of the reversal, the later one of the race as soon as it can come: what follows it is often not needed. */
static void list_rest(struct optimal *self, const struct found *found, const struct reversal_steps *reversal) {
  const bool is_early = can_come_early(self, found, reversal);
  self->insertion.steps.count = 0;
  if (is_early)
    list_steps(self, reversal, found->later, true);
  else
    list_all_steps(self, reversal);
  vector_push(&self->insertion.steps, ((struct planned){reversal->last, NULL, reversal->is_guess}));
  if (is_early) list_steps(self, reversal, found->later, false);
  for (size_t i = 0; i < self->insertion.steps.count; i++) count_arrivals(self, found->race.earlier, i);
}

static void list_moved(struct optimal *self, uint32_t depth) {
  self->insertion.moved.count = 0;
  if (!self->is_cut_short) return;
  for (thread_id thread = 0; thread < order_threads(self->order); thread++) {
    if (thread % 64u == 0) vector_push(&self->insertion.moved, 0);
    if (order_last_step_of(self->order, thread) > depth)
      self->insertion.moved.items[thread / 64u] |= 1ull << (thread % 64u);
  }
}

/* ---- what is explored elsewhere ---- */

static bool covers(const struct optimal *self, const struct node *node, const struct event *event,
                   const struct decided *decided, const struct reversal_steps *reversal) {
  return order_is_weak_initial(self->order, event, reversal) &&
         (event->thread == reversal->last.thread || !is_unknown(self, event, node->depth)) &&
         decided_holds(decided, self->inputs, self->taken);
}

/* What is asleep, and what is to the left, does not count on this. */
static bool is_covered(const struct optimal *self, const struct node *node, const struct node *taken,
                       const struct reversal_steps *reversal) {
  for (uint32_t i = 0; i < node->n_sleep; i++)
    if (covers(self, node, &node->sleep[i].event, node->sleep[i].decided, reversal)) return true;
  for (const struct node *child = node->first; child != taken; child = child->next) {
    const struct decided *decided = insertion_stands_for_all(child) ? NULL : child->decided;
    const bool holds = decided_holds(child->decided, self->inputs, self->taken);
    const struct event event = holds ? child->event : insertion_whatever_decided(child);
    if (!child->is_void && covers(self, node, &event, decided, reversal)) return true;
  }
  return false;
}

/* In its new place the step touches something else. What other runs that begin alike do before it, and what commutes
 * with it here, may not commute with it there: in each of them the race is to be reversed again. */
static void keep_turning(struct optimal *self, const struct found *found) {
  if (found->later + 1 >= self->path.count) return;
  struct node *node = self->path.items[found->later + 1];
  node->turning = memory_resize(node->turning, (node->n_turning + 1) * sizeof *node->turning);
  node->turning[node->n_turning++] = found->race;
}

static void reverse_race(struct optimal *self, const struct found *found, const struct event *event) {
  const struct race *race = &found->race;
  struct node *node = self->path.items[race->earlier], *taken = self->path.items[race->earlier + 1];
  struct reversal_steps reversal;
  if (!order_reverse(self->order, race, found->later, event, &reversal)) return;
  if (!found->is_again && !events_touch_the_same(&reversal.last, event)) keep_turning(self, found);
  if (is_covered(self, node, taken, &reversal)) return;
  list_rest(self, found, &reversal);
  list_moved(self, node->depth);
  self->insertion.values = values_of_run(self);
  self->insertion.path = self->taken;
  self->insertion.is_unsure = race->is_unsure;
  self->insertion.is_cut_short = self->is_cut_short;
  self->insertion.is_last_run = true;
  struct node *guess = insertion_add(&self->insertion, &self->tree, self->inputs, node, taken);
  if (!guess) return;
  list_rest(self, found, &reversal);
  insertion_defer(&self->insertion, guess, node, taken->id);
}

static void note_races(struct optimal *self, uint32_t later, bool is_unsure, bool is_again) {
  size_t count;
  const struct race *races = order_races(self->order, &count);
  for (size_t i = 0; i < count; i++) {
    struct found found = {races[i], later, is_again};
    found.race.is_unsure |= is_unsure;
    vector_push(&self->found, found);
  }
}

/* Makes the order that of the steps to the node, and finds all races between them again. They were reversed when a run
 * came here first. If that was cut short, there are steps of others that would have been part of the reversal. */
static void go_to_again(struct optimal *self, struct node *node) {
  list_path(self, node);
  order_pop(self->order, 0);
  self->pushed.count = 0;
  for (uint32_t depth = 1; depth <= node->depth; depth++) {
    push_node(self, self->path.items[depth]);
    note_races(self, depth - 1, false, true);
  }
}

/* When the whole run is known: what can be moved in front of a reversal depends on all that does not follow. */
static void reverse_races(struct optimal *self) {
  for (size_t i = 0; i < self->found.count && !deadline_is_over(self->deadline); i++) {
    const struct found *found = &self->found.items[i];
    reverse_race(self, found, order_event(self->order, found->later));
  }
}

/* Of the steps before the node. */
static void reverse_again(struct optimal *self, const struct node *node) {
  for (uint32_t depth = 1; depth <= node->depth; depth++) {
    const struct node *later = self->path.items[depth];
    for (uint32_t i = 0; i < later->n_turning; i++)
      reverse_race(self, &(struct found){later->turning[i], depth - 1, true}, &later->event);
  }
}

static bool has_child(const struct node *node, thread_id thread, uint16_t alternative) {
  for (const struct node *child = node->first; child; child = child->next)
    if (child->event.thread == thread && child->event.alternative == alternative) return true;
  return false;
}

/* The other ways the step could have gone. Where something is asleep behind it, they are explored where that moves
 * first. */
static void add_alternatives(struct optimal *self, struct node *node, struct node *taken) {
  if (taken->n_sleep > 0) return;
  for (uint16_t i = 0; i < taken->event.alternatives; i++) {
    if (has_child(node, taken->event.thread, i)) continue;
    struct event other = taken->event;
    other.alternative = i;
    wakeup_add_leaf(&self->tree, wakeup_add_right(&self->tree, taken, &other), values_of_run(self));
  }
}

static bool is_same_step(const struct event *a, const struct event *b) {
  return a->thread == b->thread && a->alternative == b->alternative;
}

/* What ends the run wakes everything, but might not for other inputs. */
static void keep_sleep(struct optimal *self, struct node *node, const struct event *step) {
  node->is_whole = self->sleep.count == 0 && step->kind != EVENT_RUN_END;
  if (self->sleep.count == 0) return;
  node->n_sleep = (uint32_t)self->sleep.count;
  node->sleep = memory_allocate(node->n_sleep * sizeof *node->sleep);
  memcpy(node->sleep, self->sleep.items, node->n_sleep * sizeof *node->sleep);
  for (uint32_t i = 0; i < node->n_sleep; i++) decided_hold(node->sleep[i].decided);
}

/* What is asleep behind the step to `child`: what was before it or to the left, and does not depend on it. False: the
 * step itself was asleep. */
static bool find_sleep(struct optimal *self, const struct node *node, struct node *child, const struct event *step) {
  self->sleep.count = 0;
  for (uint32_t i = 0; i < node->n_sleep; i++) {
    const struct sleeper *sleeper = &node->sleep[i];
    if (is_same_step(&sleeper->event, step) && decided_holds(sleeper->decided, self->inputs, self->taken)) return false;
    vector_push(&self->sleep, *sleeper);
  }
  sleepers_add_left_of(&self->sleep, node, child);
  sleepers_pass(&self->sleep, step);
  keep_sleep(self, child, step);
  return true;
}

/* ---- decisions ---- */

/* A decision behind the step to the node, with the number of constraints before it. Where something is asleep its other
 * sides are explored where that moves first. */
static void absorb_decision(struct optimal *self, struct node *node, const struct path *path, size_t i,
                            uint32_t before) {
  struct sides sides;
  notes_look_at_decision(&self->notes, self->inputs, path, i);
  self->events++;
  if (node->n_sleep == 0 && sides_open(&sides, self->inputs, &path->decisions[i]))
    wakeup_add_sides(&self->tree, node, &sides, before);
}

/* The run was the first to come to the node: how it decided behind the step is known now. */
static void absorb_decisions(struct optimal *self, struct node *node, const struct trace_view *trace) {
  const struct path *path = self->taken;
  const struct decisions_range range = decisions_behind(trace, node->depth);
  uint32_t before = 0, place = range.first;
  decided_release(node->decided);
  node->decided = path ? decided_make(trace, path, range, node->event.thread) : NULL;
  if (!node->decided) return;
  for (size_t i = path_first_at(path, node->depth); path_decides(path, i, node->depth); i++) {
    const uint32_t next = (uint32_t)(path->decisions[i].record - trace->decisions);
    before += decided_count(path, (struct decisions_range){place, next});
    place = next;
    if (before >= node->n_turned) absorb_decision(self, node, path, i, before);
  }
  if (!node->sides) return;
  /* Those of the run, not those it was given: an input with a range may have been given none in it. */
  values_release(node->values);
  node->values = values_hold(values_of_run(self));
}

/* Inputs that were taken to decide like those of another run, before that was known, decide in another way behind the
 * step to `node`: the leaf is to be reached on that way. */
static void move_leaf(struct optimal *self, struct node *node, const struct node *leaf, struct decided *decided) {
  struct node *way = NULL;
  for (struct node *other = node->parent->first; other && !way; other = other->next)
    if (is_same_step(&other->event, &node->event) && decided_is_same(other->decided, decided)) way = other;
  if (way && insertion_stands_for_all(way)) return;
  if (!way) {
    way = wakeup_add_right(&self->tree, node, &node->event);
    way->decided = decided_hold(decided);
  }
  for (uint32_t depth = node->depth + 1; depth <= leaf->depth; depth++) {
    way = wakeup_add(&self->tree, way, &self->path.items[depth]->event);
    way->is_guess = true; /* what it does on that way is not known */
  }
  way->is_unsure = leaf->is_unsure;
  way->is_guess = true;
  wakeup_add_leaf(&self->tree, way, values_of_run(self));
}

/* ---- absorbing ---- */

/* Did something end the run before all threads had ended or could not move? */
static bool was_ended(const struct trace_view *trace) {
  return !outcome_is_at_rest(trace->record->outcome);
}

/* Were all that could have moved asleep? */
static bool was_blocked(const struct trace_view *trace) {
  return trace->record->outcome == OUTCOME_SLEEP_BLOCKED;
}

/* And were there others than the thread that did it? Then its last step depends on all that they could still have done.
 */
static bool was_cut_short(const struct trace_view *trace) {
  if (!was_ended(trace)) return false;
  for (uint32_t i = 0; i < trace->record->n_pending; i++)
    if (trace->pendings[i].thread != trace->record->thread) return true;
  return false;
}

/* Did it end in the middle of a step, before that was recorded? Then the step is one of the thread that ended it. */
static bool lacks_last_step(const struct attempt *attempt, const struct trace_view *trace) {
  if (was_blocked(trace)) return false;
  uint32_t n_steps = attempt->record_from;
  for (uint32_t i = 0; i < trace->record->n_events; i++) n_steps += event_is_step(&trace->events[i]);
  return was_ended(trace) && n_steps + 1 == trace->record->n_steps;
}

static struct event make_last_step(const struct trace_view *trace) {
  return (struct event){.kind = EVENT_RUN_END,
                        .thread = trace->record->thread,
                        .enabled = UINT64_MAX,
                        .alternatives = 1,
                        .flags = EVENT_VISIBLE};
}

enum following { FOLLOWED, LEFT, COULD_NOT };

/* Did the run decide as the runs before it that came to the points of the path, and as its inputs should make it? */
static bool decides_as_expected(struct optimal *self, const struct attempt *attempt, const struct trace_view *trace) {
  for (uint32_t depth = 0; self->inputs && depth <= attempt->leaf->depth; depth++) {
    struct node *node = self->path.items[depth];
    if (node == attempt->leaf && !node->n_turned) break;
    if (!node->was_reached && node != attempt->leaf) continue;
    const struct decisions_range range = decisions_behind(trace, depth);
    struct decided *decided = decided_make(trace, self->taken, range, node->event.thread);
    const bool is_expected = node->n_turned && node == attempt->leaf ? decided_begins(decided, node->decided)
                                                                     : decided_is_same(decided, node->decided);
    const bool is_other = !is_expected && !decided_holds(node->decided, self->inputs, self->taken);
    if (is_other) move_leaf(self, node, attempt->leaf, decided);
    decided_release(decided);
    self->blocked_runs += is_other;
    self->notes.divergences += !is_expected && !is_other;
    if (!is_expected) return false;
  }
  return true;
}

/* Did the run take the steps to its leaf, which is the end of the path? */
static enum following follow(const struct optimal *self, const struct attempt *attempt,
                             const struct trace_view *trace) {
  const struct node *leaf = attempt->leaf;
  uint32_t depth = attempt->record_from;
  if (outcome_row(trace->record->outcome)->class == OUTCOME_INTERNAL) return LEFT;
  for (uint32_t i = 0; i < trace->record->n_events && depth < leaf->depth; i++) {
    if (!event_is_step(&trace->events[i])) continue;
    const struct node *node = self->path.items[++depth];
    if (!is_same_step(&trace->events[i], &node->event)) return node == leaf && leaf->is_unsure ? COULD_NOT : LEFT;
  }
  if (depth + 1 == leaf->depth && lacks_last_step(attempt, trace))
    return leaf->event.thread == trace->record->thread ? FOLLOWED : leaf->is_unsure ? COULD_NOT : LEFT;
  return depth < leaf->depth && leaf->is_unsure ? COULD_NOT : FOLLOWED;
}

static void keep_enabled(struct node *node, const struct trace_view *trace, const struct event *event) {
  if (!(event->flags & EVENT_WIDE)) return;
  node->n_words = (uint32_t)trace_enabled_words(trace, event);
  node->words = memory_allocate((node->n_words + 1) * sizeof *node->words);
  memcpy(node->words, trace_enabled_set(trace, event), node->n_words * sizeof *node->words);
}

static void keep_more(struct node *node, const struct event *event) {
  if (event->kind == EVENT_THREAD_END || event->kind == EVENT_PROCESS_EXIT) return;
  node->more = memory_resize(node->more, (node->n_more + 1) * sizeof *node->more);
  node->more[node->n_more++] = *event;
}

/* The point behind the step: one that was planned, or a new one. */
static struct node *child_for(struct optimal *self, struct node *node, const struct attempt *attempt,
                              const struct event *step) {
  const uint32_t depth = node->depth + 1;
  if (depth <= attempt->leaf->depth) return self->path.items[depth];
  struct node *child = wakeup_add(&self->tree, node, step);
  while (self->path.count <= depth) vector_push(&self->path, NULL);
  self->path.items[depth] = child;
  return child;
}

/* The proof rests on knowing what the steps of a branch touch. A step that ends the run touches more, which does no
 * harm: it races with everything. */
static bool is_as_expected(const struct node *node, const struct event *step) {
  return node->is_guess || step->kind == EVENT_RUN_END || events_touch_the_same(&node->event, step);
}

/* The point behind the step, NULL if the step was asleep. */
static struct node *absorb_step(struct optimal *self, struct node *node, const struct attempt *attempt,
                                const struct trace_view *trace, const struct event *event, bool ends_run) {
  struct node *child = child_for(self, node, attempt, event);
  struct event step = *event;
  ends_run &= step.kind != EVENT_ALLOCATION_FAILED; /* the run in which it does not fail says what others could do */
  if (ends_run) step.kind = EVENT_RUN_END;
  if (!find_sleep(self, node, child, &step)) return NULL;
  if (!is_as_expected(child, &step)) self->was_wrong = true;
  child->event = step;
  child->was_reached = true;
  keep_enabled(child, trace, event);
  push_node(self, child);
  note_races(self, node->depth, ends_run, false);
  if (step.alternatives > 1) add_alternatives(self, node, child);
  absorb_decisions(self, child, trace);
  self->events++;
  return child;
}

static uint32_t last_step(const struct trace_view *trace) {
  for (uint32_t i = trace->record->n_events; i-- > 0;)
    if (event_is_step(&trace->events[i])) return i;
  return UINT32_MAX;
}

/* Goes through what the run did behind `node`. False: it came to a step that was asleep. What it did from there on is
 * explored elsewhere, but still says what does not follow its earlier steps. */
static bool absorb_events(struct optimal *self, struct node *node, const struct attempt *attempt,
                          const struct trace_view *trace) {
  const bool lacks_last = lacks_last_step(attempt, trace);
  const bool ends_run = self->is_cut_short && !lacks_last && !was_blocked(trace);
  const uint32_t end = ends_run ? last_step(trace) : UINT32_MAX;
  uint32_t depth = attempt->record_from; /* of the events */
  bool is_awake = true;
  for (uint32_t i = 0; i < trace->record->n_events; i++) {
    const struct event *event = &trace->events[i];
    if (event_is_step(event)) depth++;
    if (depth <= node->depth && event_is_step(event)) continue; /* another run was there */
    if (is_awake && event_is_step(event)) {
      struct node *child = absorb_step(self, node, attempt, trace, event, i == end);
      if (child) node = child;
      is_awake = child;
    } else if (is_awake && depth == node->depth && depth > attempt->record_from) {
      order_push(self->order, event, NULL, 0);
      keep_more(node, event);
    }
    if (!is_awake) push_event(self, trace, event);
  }
  if (!is_awake || !lacks_last || depth < node->depth) return is_awake;
  const struct event last = make_last_step(trace);
  return absorb_step(self, node, attempt, trace, &last, true);
}

/* Threads that stood before an operation when the run ended. */
static void absorb_pendings(struct optimal *self, const struct trace_view *trace) {
  const uint32_t length = order_length(self->order);
  for (uint32_t i = 0; i < trace->record->n_pending; i++) {
    struct event event;
    if (!order_find_pending_races(self->order, &trace->pendings[i], &event)) continue;
    self->found.count = 0;
    note_races(self, length, false, false);
    for (size_t k = 0; k < self->found.count; k++) reverse_race(self, &self->found.items[k], &event);
  }
}

static void analyse(struct optimal *self, const struct attempt *attempt, const struct trace_view *trace) {
  struct node *start = reached_above(attempt->leaf);
  self->is_cut_short = was_cut_short(trace);
  self->has_cut |= self->is_cut_short;
  self->sleep.count = self->found.count = 0;
  if (self->has_cut)
    go_to_again(self, start);
  else
    go_to(self, start);
  list_path(self, attempt->leaf);
  if (attempt->leaf->depth == 0) {
    keep_sleep(self, start, &start->event);
    absorb_decisions(self, start, trace);
  }
  const bool is_awake = absorb_events(self, start, attempt, trace) && !was_blocked(trace);
  reverse_races(self);
  if (!self->has_cut) reverse_again(self, start);
  if (is_awake) absorb_pendings(self, trace);
  self->blocked_runs += !is_awake;
}

/* The leaf cannot be reached, nor what was to be passed only on the way to it: they stand for nothing. */
static void give_up(struct optimal *self, struct node *leaf) {
  self->blocked_runs++;
  struct node *node = leaf;
  while (!node->parent->was_reached && node->parent->live == 1) node = node->parent;
  node->is_void = true;
}

static void absorb_run(struct optimal *self, struct attempt *attempt, const struct trace_view *trace) {
  list_path(self, attempt->leaf);
  switch (follow(self, attempt, trace)) {
  case FOLLOWED:
    if (decides_as_expected(self, attempt, trace)) analyse(self, attempt, trace);
    break;
  case COULD_NOT: give_up(self, attempt->leaf); break;
  case LEFT: break;
  }
}

/* What waited for this run to show what is on its way. */
static void resume(struct optimal *self, struct node *node) {
  for (; node->parent; node = node->parent)
    if (node->is_guess) insertion_resume(&self->tree, self->inputs, node);
}

static void optimal_absorb(void *memory, void *cookie, const struct trace_view *trace, const struct path *path,
                           uint64_t runs) {
  struct optimal *self = memory;
  struct attempt *attempt = cookie;
  self->taken = path;
  if (run_is_lost(self->inputs, trace, path))
    self->notes.lost = true;
  else
    absorb_run(self, attempt, trace);
  resume(self, attempt->leaf);
  wakeup_end_leaf(&self->tree, attempt->leaf);
  put_back(self, attempt);
}

static void optimal_stats(const void *memory, struct strategy_stats *stats) {
  const struct optimal *self = memory;
  *stats =
      (struct strategy_stats){.events = self->events, .blocked_runs = self->blocked_runs, .left = self->tree.n_waiting};
  if (self->was_wrong) stats->defect = "optimal: a step touched something else than was computed for it";
  notes_tell(&self->notes, stats);
}

const struct strategy strategy_optimal = {
    .name = "optimal",
    .help = "one run of each class of runs that differ only in the order of steps that commute",
    .explores_inputs = true,
    .window = WINDOW,
    .default_max_runs = NO_LIMIT,
    .create = optimal_create,
    .destroy = optimal_destroy,
    .next = optimal_next,
    .absorb = optimal_absorb,
    .stats = optimal_stats,
};
