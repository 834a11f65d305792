/* SPDX-License-Identifier: MIT
 *
 * Optimal dynamic partial order reduction (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014): exactly one run per class of
 * runs that differ only in the order of steps that commute. docs/algorithms/dpor.md has the argument.
 *
 * When a run comes back, every race between two of its steps is reversed: at the point before the earlier one, the
 * steps in between that do not happen after it and then the later one are a way to go (order_reverse). Unless what
 * follows is explored elsewhere, they are added to the tree there: along the children that could be moved in front of
 * them, then as a new branch. Its leaf waits for a run, which follows the branch and then continues by itself.
 *
 * Where a run reaches the end of its branch nothing is asleep, as every step asleep at the beginning depends on one
 * of the branch: no run is in vain. What the last step of a reversal touches in its new place is computed
 * (order_reverse), down to whether a compare-and-exchange succeeds there. Where that cannot be (a step that ended the
 * run), it is a guess: something may be left asleep, and the run is given up where it would take that.
 *
 * How a thread decides on inputs after its step is an outcome of the step. Inputs for the other sides are asked for
 * where nothing is asleep; a branch has the inputs of the run that showed it.
 */
#include "explore/dpor/optimal.h"

#include "base/error.h"
#include "explore/strategy/input_notes.h"
#include "trace/order.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

static void put_back(struct optimal *self, struct optimal_attempt *attempt) {
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
  self->max_steps = settings->max_events;
  self->knowledge = settings->knowledge;
  vector_push(&self->versions, settings->knowledge ? settings->knowledge->version : 0);
  self->policy = order_policy(settings->own);
  return self;
}

static void optimal_destroy(void *memory) {
  struct optimal *self = memory;
  wakeup_free(&self->tree);
  order_destroy(self->order);
  way_steps_free(&self->prefix);
  vector_free(&self->versions);
  way_free(&self->memory.way);
  vector_free(&self->memory.turning);
  vector_free(&self->memory.found);
  vector_free(&self->memory.sleep);
  insertion_free(&self->memory.insertion);
  free(self);
}

/* ---- what a run shows ---- */

/* The way of the run becomes that to its leaf. The order keeps what this run and the last one have in common. (A step
 * that was asleep is in the order, but its point was not reached.) */
static void find_way(struct optimal *self, struct optimal_run *run) {
  uint32_t common = way_go_to(&run->way, run->leaf);
  while (common > 0 && !run->way.nodes.items[common]->was_reached) common--;
  order_pop(self->order, common);
  while (run->turning.count > 0 && run->turning.items[run->turning.count - 1] > common) run->turning.count--;
  for (uint32_t depth = common + 1; depth <= run->leaf->depth; depth++)
    if (run->way.nodes.items[depth]->n_turning > 0) vector_push(&run->turning, depth);
}

static void push_event(struct optimal *self, const struct trace_view *trace, const struct event *event) {
  if (!event_is_step(event)) {
    order_push(self->order, event, NULL, 0);
    return;
  }
  const struct event step = optimal_event(event);
  order_push(self->order, &step, trace_enabled_set(trace, event), trace_enabled_words(trace, event));
}

static bool has_child(const struct wakeup_node *node, thread_id thread, uint16_t alternative) {
  for (const struct wakeup_node *child = node->first; child; child = child->next)
    if (child->event.thread == thread && child->event.alternative == alternative) return true;
  return false;
}

/* The other ways the step could have gone. Where something is asleep after it, they are explored where that moves
 * first. */
static void add_alternatives(struct optimal *self, const struct optimal_run *run, struct wakeup_node *node,
                             struct wakeup_node *taken) {
  if (taken->n_sleep > 0) return;
  for (uint16_t i = 0; i < taken->event.alternatives; i++) {
    if (has_child(node, taken->event.thread, i)) continue;
    struct event other = taken->event;
    other.alternative = i;
    wakeup_add_leaf(&self->tree, wakeup_add_right(&self->tree, taken, &other), run_values(run));
  }
}

static bool is_same_step(const struct event *a, const struct event *b) {
  return a->thread == b->thread && a->alternative == b->alternative;
}

/* What ends the run wakes everything, but might not for other inputs. */
void optimal_keep_sleep(struct wakeup_node *node, const sleeper_list *sleep, const struct event *step) {
  node->is_whole = sleep->count == 0 && step->kind != EVENT_RUN_END;
  if (sleep->count == 0) return;
  node->n_sleep = (uint32_t)sleep->count;
  node->sleep = memory_allocate(node->n_sleep * sizeof *node->sleep);
  memcpy(node->sleep, sleep->items, node->n_sleep * sizeof *node->sleep);
  for (uint32_t i = 0; i < node->n_sleep; i++) decided_hold(node->sleep[i].decided);
}

/* What is asleep after the step to `child`: what was before it or to the left, and does not depend on it. False: the
 * step itself was asleep. */
static bool find_sleep(const struct optimal *self, struct optimal_run *run, const struct wakeup_node *node,
                       struct wakeup_node *child, const struct event *step) {
  sleeper_list *sleep = &run->sleep;
  sleep->count = 0;
  for (uint32_t i = 0; i < node->n_sleep; i++) {
    const struct sleeper *sleeper = &node->sleep[i];
    if (is_same_step(&sleeper->event, step) && decided_holds(sleeper->decided, self->inputs, run->path)) return false;
    vector_push(sleep, *sleeper);
  }
  sleepers_add_left_of(sleep, node, child);
  sleepers_pass(sleep, step);
  optimal_keep_sleep(child, sleep, step);
  return true;
}

/* ---- decisions ---- */

/* A decision after the step to the node, with the number of constraints before it. Where something is asleep its other
 * sides are explored where that moves first. */
static void absorb_decision(struct optimal *self, struct wakeup_node *node, const struct path *path, size_t i,
                            uint32_t before) {
  struct sides sides;
  notes_look_at_decision(&self->notes, self->inputs, path, i);
  self->events++;
  if (node->n_sleep == 0 && sides_open(&sides, self->inputs, &path->decisions[i]))
    wakeup_add_sides(&self->tree, node, &sides, before);
}

/* The run was the first to reach the node: how it decided after the step is known now. */
static void absorb_decisions(struct optimal *self, const struct optimal_run *run, struct wakeup_node *node) {
  const struct trace_view *trace = run->trace;
  const struct path *path = run->path;
  if (!self->has_decisions) return;
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
  node->values = values_hold(run_values(run));
}

/* Inputs that were taken to decide like those of another run, before that was known, decide in another way after the
 * step to `node`: the leaf is to be reached on that way. */
static void move_leaf(struct optimal *self, const struct optimal_run *run, struct wakeup_node *node,
                      struct decided *decided) {
  const struct wakeup_node *leaf = run->leaf;
  struct wakeup_node *way = NULL;
  for (struct wakeup_node *other = node->parent->first; other && !way; other = other->next)
    if (is_same_step(&other->event, &node->event) && decided_is_same(other->decided, decided)) way = other;
  if (way && insertion_stands_for_all(way)) return;
  if (!way) {
    way = wakeup_add_right(&self->tree, node, &node->event);
    way->decided = decided_hold(decided);
  }
  for (uint32_t depth = node->depth + 1; depth <= leaf->depth; depth++) {
    way = wakeup_add(&self->tree, way, &run->way.nodes.items[depth]->event);
    way->is_guess = true; /* what it does on that way is not known */
  }
  way->is_unsure = leaf->is_unsure;
  way->is_guess = true;
  wakeup_add_leaf(&self->tree, way, run_values(run));
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
static bool lacks_last_step(const struct optimal_run *run) {
  const struct trace_view *trace = run->trace;
  if (was_blocked(trace) || !was_ended(trace)) return false;
  uint32_t n_steps = run->record_from;
  for (uint32_t i = 0; i < trace->record->n_events; i++) n_steps += event_is_step(&trace->events[i]);
  return n_steps + 1 == trace->record->n_steps;
}

static struct event make_last_step(const struct trace_view *trace) {
  return (struct event){.kind = EVENT_RUN_END,
                        .thread = trace->record->thread,
                        .enabled = UINT64_MAX,
                        .alternatives = 1,
                        .flags = EVENT_VISIBLE};
}

enum following { FOLLOWED, LEFT, COULD_NOT };

/* Did the run decide as the runs before it that reached the points of the path, and as its inputs should make it? */
static bool decides_as_expected(struct optimal *self, const struct optimal_run *run) {
  const struct trace_view *trace = run->trace;
  for (uint32_t depth = 0; self->has_decisions && depth <= run->leaf->depth; depth++) {
    struct wakeup_node *node = run->way.nodes.items[depth];
    if (node == run->leaf && !node->n_turned) break;
    if (!node->was_reached && node != run->leaf) continue;
    const struct decisions_range range = decisions_behind(trace, depth);
    struct decided *decided = decided_make(trace, run->path, range, node->event.thread);
    const bool is_expected = node->n_turned && node == run->leaf ? decided_begins(decided, node->decided)
                                                                 : decided_is_same(decided, node->decided);
    const bool is_other = !is_expected && !decided_holds(node->decided, self->inputs, run->path);
    if (is_other) move_leaf(self, run, node, decided);
    decided_release(decided);
    self->blocked_runs += is_other;
    self->notes.divergences += !is_expected && !is_other;
    if (!is_expected) return false;
  }
  return true;
}

/* Did the run take the steps to its leaf, which is the end of the path? */
static enum following follow(const struct optimal_run *run) {
  const struct trace_view *trace = run->trace;
  const struct wakeup_node *leaf = run->leaf;
  uint32_t depth = run->record_from;
  if (outcome_row(trace->record->outcome)->class == OUTCOME_INTERNAL) return LEFT;
  for (uint32_t i = 0; i < trace->record->n_events && depth < leaf->depth; i++) {
    if (!event_is_step(&trace->events[i])) continue;
    const struct wakeup_node *node = run->way.nodes.items[++depth];
    if (!is_same_step(&trace->events[i], &node->event)) return node == leaf && leaf->is_unsure ? COULD_NOT : LEFT;
  }
  if (depth + 1 == leaf->depth && lacks_last_step(run))
    return leaf->event.thread == trace->record->thread ? FOLLOWED : leaf->is_unsure ? COULD_NOT : LEFT;
  return depth < leaf->depth && leaf->is_unsure ? COULD_NOT : FOLLOWED;
}

void optimal_keep_enabled(struct wakeup_node *node, const struct trace_view *trace, const struct event *event) {
  if (!(event->flags & EVENT_WIDE)) return;
  node->n_words = (uint16_t)trace_enabled_words(trace, event);
  node->words = memory_allocate((node->n_words + 1) * sizeof *node->words);
  memcpy(node->words, trace_enabled_set(trace, event), node->n_words * sizeof *node->words);
}

void optimal_keep_more(struct wakeup_node *node, const struct event *event) {
  if (event_ends_thread(event)) return;
  const uint32_t count = node->n_more;
  const bool is_full = (count & (count - 1)) == 0; /* there is room for the next power of 2 */
  if (is_full) node->more = memory_resize(node->more, (count ? 2 * count : 1) * sizeof *node->more);
  node->more[node->n_more++] = *event;
}

/* The point after the step: one that was planned, or a new one. */
static struct wakeup_node *child_for(struct optimal *self, struct optimal_run *run, struct wakeup_node *node,
                                     const struct event *step) {
  const uint32_t depth = node->depth + 1;
  if (depth <= run->leaf->depth) return run->way.nodes.items[depth];
  struct wakeup_node *child = wakeup_add(&self->tree, node, step);
  way_extend(&run->way, child);
  return child;
}

/* The proof rests on knowing what the steps of a branch touch. A step that ends the run touches more, which does no
 * harm: it races with everything. */
static bool is_as_expected(const struct wakeup_node *node, const struct event *step) {
  return node->is_guess || step->kind == EVENT_RUN_END || events_touch_the_same(&node->event, step);
}

/* Whether a thread rests may depend on the order of steps that commute (docs/algorithms/fairness.md). If it does here,
 * and did not in the order of the run that the branch was computed from, its step depends on what it did there. */
static void forget_rest(const struct wakeup_node *node, struct event *step) {
  const uint8_t rest = EVENT_PARKED | EVENT_OF_ALL, all = rest | EVENT_GIVES_UP;
  if (node->is_guess || (step->flags & all) != rest || (node->event.flags & all) == rest) return;
  step->flags = (uint8_t)((step->flags & ~rest) | (node->event.flags & rest));
}

/* The point after the step, NULL if the step was asleep. */
static struct wakeup_node *absorb_step(struct optimal *self, struct optimal_run *run, struct wakeup_node *node,
                                       const struct event *event, bool ends_run) {
  struct wakeup_node *child = child_for(self, run, node, event);
  struct event step = optimal_event(event);
  ends_run &= step.kind != EVENT_ALLOCATION_FAILED; /* the run in which it does not fail says what others could do */
  if (ends_run) step.kind = EVENT_RUN_END;
  if (child->depth <= run->leaf->depth) forget_rest(child, &step);
  if (!find_sleep(self, run, node, child, &step)) return NULL;
  if (!is_as_expected(child, &step)) self->was_wrong = true;
  self->has_global |= event_dependence_of(&step) == DEPENDENCE_GLOBAL || step.flags & EVENT_OF_ALL;
  child->event = step;
  child->was_reached = true;
  optimal_keep_enabled(child, run->trace, event);
  optimal_push_node(self, child);
  optimal_note_races(self, run, node->depth, ends_run, false);
  if (step.alternatives > 1) add_alternatives(self, run, node, child);
  absorb_decisions(self, run, child);
  self->events++;
  return child;
}

static uint32_t last_step(const struct trace_view *trace) {
  for (uint32_t i = trace->record->n_events; i-- > 0;)
    if (event_is_step(&trace->events[i])) return i;
  return UINT32_MAX;
}

/* Was no run there before to see the event after so many steps? Before the first step only creations matter: they say
 * which threads are the same. */
static bool is_new_after(const struct optimal_run *run, uint32_t depth, const struct event *event) {
  if (depth == 0) return run->leaf->depth == 0 && event_effect_of(event) == EFFECT_CREATES;
  return depth > run->known_to;
}

/* Goes through what the run did after `node`. False: it reached a step that was asleep. What it did from there on is
 * explored elsewhere, but still says what does not follow its earlier steps. */
static bool absorb_events(struct optimal *self, struct optimal_run *run, struct wakeup_node *node) {
  const struct trace_view *trace = run->trace;
  const bool lacks_last = lacks_last_step(run);
  const bool ends_run = run->is_cut_short && !lacks_last && !was_blocked(trace);
  const uint32_t end = ends_run ? last_step(trace) : UINT32_MAX;
  uint32_t depth = run->record_from; /* of the events */
  bool is_awake = true;
  for (uint32_t i = 0; i < trace->record->n_events; i++) {
    const struct event *event = &trace->events[i];
    if (event_is_step(event)) depth++;
    if (depth <= node->depth && event_is_step(event)) continue; /* another run was there */
    if (is_awake && event_is_step(event)) {
      struct wakeup_node *child = absorb_step(self, run, node, event, i == end);
      if (child) node = child;
      is_awake = child;
    } else if (is_awake && depth == node->depth && is_new_after(run, depth, event)) {
      order_push(self->order, event, NULL, 0);
      optimal_keep_more(node, event);
    }
    if (!is_awake) push_event(self, trace, event);
  }
  if (!is_awake || !lacks_last || depth < node->depth) return is_awake;
  const struct event last = make_last_step(trace);
  return absorb_step(self, run, node, &last, true);
}

/* Threads that stood before an operation when the run ended. */
static void absorb_pendings(struct optimal *self, struct optimal_run *run) {
  const struct trace_view *trace = run->trace;
  const uint32_t length = order_length(self->order);
  for (uint32_t i = 0; i < trace->record->n_pending; i++) {
    struct event event;
    if (!order_find_pending_races(self->order, &trace->pendings[i], &event)) continue;
    run->found.count = 0;
    optimal_note_races(self, run, length, false, false);
    for (size_t k = 0; k < run->found.count; k++) optimal_reverse_race(self, run, &run->found.items[k], &event);
  }
}

static void analyse(struct optimal *self, struct optimal_run *run) {
  struct wakeup_node *start = optimal_reached_above(run->leaf);
  run->new_from = start->depth;
  self->has_cut |= run->is_cut_short;
  if (self->has_cut)
    optimal_go_to_again(self, run, start);
  else
    optimal_go_to(self, run, start);
  if (run->leaf->depth == 0) {
    optimal_keep_sleep(start, &(sleeper_list){0}, &start->event);
    absorb_decisions(self, run, start);
  }
  const bool is_awake = absorb_events(self, run, start) && !was_blocked(run->trace);
  optimal_reverse_races(self, run);
  if (!self->has_cut) optimal_reverse_again(self, run, start);
  if (is_awake) absorb_pendings(self, run);
  self->blocked_runs += !is_awake;
}

/* The leaf cannot be reached, nor what was to be passed only on the way to it: they stand for nothing. */
static void give_up(struct optimal *self, struct wakeup_node *leaf) {
  self->blocked_runs++;
  struct wakeup_node *node = leaf;
  while (!node->parent->was_reached && node->parent->live == 1) node = node->parent;
  node->is_void = true;
}

static struct optimal_run *begin_run(struct optimal *self, const struct optimal_attempt *attempt,
                                     const struct trace_view *trace, const struct path *path) {
  struct optimal_run *run = &self->memory;
  run->trace = trace;
  run->path = path;
  run->leaf = attempt->leaf;
  run->record_from = run->known_to = attempt->record_from;
  run->is_cut_short = was_cut_short(trace);
  run->found.count = 0;
  self->has_decisions |= self->inputs && trace->record->n_decisions > 0;
  return run;
}

static void absorb_run(struct optimal *self, struct optimal_run *run, const struct optimal_attempt *attempt) {
  if (attempt->epoch < self->tree.epoch) optimal_renew_way(self, run, attempt);
  if (self->is_stale || attempt->is_probe) return;
  find_way(self, run);
  switch (follow(run)) {
  case FOLLOWED:
    if (decides_as_expected(self, run)) analyse(self, run);
    break;
  case COULD_NOT: give_up(self, run->leaf); break;
  case LEFT: self->is_stale |= self->tree.epoch > 0; break;
  }
}

/* What waited for this run to show what is on its way. What runs had reached when it was planned is no guess. */
static void resume(struct optimal *self, const struct optimal_attempt *attempt) {
  const uint32_t from = attempt->epoch < self->tree.epoch ? 0 : attempt->record_from;
  for (struct wakeup_node *node = attempt->leaf; node->depth > from; node = node->parent)
    if (node->is_guess || (node->deferred && node->epoch == self->tree.epoch))
      insertion_resume(&self->tree, self->inputs, node);
}

static void optimal_absorb(void *memory, void *cookie, const struct trace_view *trace, const struct path *path,
                           uint64_t runs) {
  struct optimal *self = memory;
  struct optimal_attempt *attempt = cookie;
  if (run_is_lost(self->inputs, trace, path))
    self->notes.lost = true;
  else
    absorb_run(self, begin_run(self, attempt, trace, path), attempt);
  resume(self, attempt);
  wakeup_end_leaf(&self->tree, attempt->leaf);
  put_back(self, attempt);
  self->n_under_way--;
}

static void optimal_stats(const void *memory, struct strategy_stats *stats) {
  const struct optimal *self = memory;
  *stats =
      (struct strategy_stats){.events = self->events, .blocked_runs = self->blocked_runs, .left = self->tree.n_waiting};
  stats->stale = self->is_stale;
  if (self->was_wrong) stats->defect = "optimal: a step touched something else than was computed for it";
  notes_tell(&self->notes, stats);
}

static double optimal_part_done(const void *memory) {
  const struct optimal *self = memory;
  return wakeup_part_done(&self->tree);
}

static const char *const option_names[] = {"order", "max-preemptions", "symmetry", NULL};

const struct strategy strategy_optimal = {
    .name = "optimal",
    .help = "one run of each class of runs that differ only in the order of steps that commute",
    .explores_inputs = true,
    .window = WINDOW,
    .default_max_runs = NO_LIMIT,
    .options = option_names,
    .with_bound = &strategy_bounded,
    .settings_bytes = sizeof(struct order_settings),
    .configure = order_configure,
    .create = optimal_create,
    .destroy = optimal_destroy,
    .next = optimal_next,
    .absorb = optimal_absorb,
    .keep = optimal_keep,
    .stats = optimal_stats,
    .part_done = optimal_part_done,
    .save = optimal_save,
    .load = optimal_load,
};
