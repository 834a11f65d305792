/* SPDX-License-Identifier: MIT
 *
 * A trace has all events of its run, also those of the prefix: the stack of happens-before is popped to where this run
 * and the last one part, and the rest is pushed from the trace.
 *
 * Many runs may be under way: a child that is started while its siblings' subtrees are not explored yet sleeps as if
 * they were, because they will be.
 */
#include "explore/dpor.h"

#include "base/error.h"
#include "trace/order.h"
#include "trace/tables.h"

#include <stdlib.h>

struct dpor {
  const struct dpor_rules *rules;
  struct backtrack *tree;
  struct order *order;
  VECTOR(uint64_t) stacked;     /* the numbers of the points behind the steps on the stack of happens-before */
  VECTOR(struct point *) path;  /* of the run being absorbed, from the root */
  VECTOR(uint32_t) step_events; /* the places of its steps among its events */
  event_list sleepers;
  uint64_t seed, runs, events, blocked_runs;
  double done; /* shares of the runs made: see estimate.c */
  bool started;
};

void *dpor_create(const struct strategy_settings *settings, const struct dpor_rules *rules) {
  struct dpor *self = memory_allocate(sizeof *self);
  self->rules = rules;
  self->tree = backtrack_create();
  self->order = order_create();
  self->seed = settings->seed;
  return self;
}

void dpor_destroy(void *memory) {
  struct dpor *self = memory;
  backtrack_destroy(self->tree);
  order_destroy(self->order);
  vector_free(&self->stacked);
  vector_free(&self->path);
  vector_free(&self->step_events);
  vector_free(&self->sleepers);
  free(self);
}

/* --- targets --- */

static struct point *choose(struct dpor *self) {
  if (self->started) return backtrack_take(self->tree, self->rules->sleeps);
  self->started = true;
  return backtrack_root(self->tree);
}

bool dpor_next(void *memory, struct target *target) {
  struct dpor *self = memory;
  struct point *point = choose(self);
  if (!point) return false;
  point_append_path(point, &target->prefix);
  if (self->rules->sleeps && point->parent) point_append_sleepers(point, &target->sleepers);
  target->policy = POLICY_RANDOM;
  target->seed = self->seed + self->runs++;
  target->runs = 1;
  target->cookie = point;
  return true;
}

/* --- backtrack sets --- */

bool dpor_could_move(const struct reversal_point *race, thread_id thread) {
  return trace_was_enabled(race->trace, race->earlier, thread);
}

static struct point *want(struct dpor *self, const struct reversal_point *race, thread_id thread) {
  if (point_child(race->point, thread)) return NULL;
  return backtrack_want(self->tree, race->point, (struct step){thread, 0});
}

void dpor_try(struct dpor *self, const struct reversal_point *race, thread_id thread) {
  if (!point_is_asleep(race->point, thread)) want(self, race, thread);
}

void dpor_try_asleep(struct dpor *self, const struct reversal_point *race, thread_id thread) {
  struct point *child = want(self, race, thread);
  if (child && point_is_asleep(race->point, thread)) child->in_vain = true;
}

void dpor_try_all(struct dpor *self, const struct reversal_point *race) {
  const uint64_t *enabled = trace_enabled_set(race->trace, race->earlier);
  const size_t n_words = trace_enabled_words(race->trace, race->earlier);
  for (size_t word = 0; word < n_words; word++)
    for (uint64_t rest = enabled[word]; rest; rest &= rest - 1)
      dpor_try(self, race, (thread_id)(word * 64 + (size_t)__builtin_ctzll(rest)));
}

static bool is_new_and_awake(const struct reversal_point *race, thread_id thread) {
  return dpor_could_move(race, thread) && !point_child(race->point, thread) && !point_is_asleep(race->point, thread);
}

void dpor_try_another(struct dpor *self, const struct reversal_point *race, thread_id preferred) {
  if (is_new_and_awake(race, preferred)) {
    want(self, race, preferred);
    return;
  }
  const size_t n_threads = 64 * trace_enabled_words(race->trace, race->earlier);
  for (size_t thread = 0; thread < n_threads; thread++) {
    if (!is_new_and_awake(race, (thread_id)thread)) continue;
    want(self, race, (thread_id)thread);
    return;
  }
}

void dpor_backtrack_at_thread(struct dpor *self, const struct reversal_point *race) {
  if (dpor_could_move(race, race->thread) && !point_is_asleep(race->point, race->thread))
    dpor_try(self, race, race->thread);
  else
    dpor_try_all(self, race);
}

/* --- traces --- */

static void find_steps(struct dpor *self, const struct trace_view *trace) {
  self->step_events.count = 0;
  for (uint32_t i = 0; i < trace->record->n_events; i++)
    if (event_is_step(&trace->events[i])) vector_push(&self->step_events, i);
}

static const struct event *step_at(const struct dpor *self, const struct trace_view *trace, uint32_t step) {
  return &trace->events[self->step_events.items[step]];
}

static uint32_t events_end(const struct dpor *self, const struct trace_view *trace, uint32_t step) {
  return step + 1 < self->step_events.count ? self->step_events.items[step + 1] : trace->record->n_events;
}

static void find_path(struct dpor *self, struct point *point) {
  while (self->path.capacity <= point->depth)
    self->path.items = memory_grow(self->path.items, &self->path.capacity, sizeof *self->path.items);
  self->path.count = point->depth + 1;
  for (; point; point = point->parent) self->path.items[point->depth] = point;
}

/* A run that left its path, or did not come to its end, says nothing about the tree. */
static bool followed_path(const struct dpor *self, const struct trace_view *trace) {
  if (outcome_row(trace->record->outcome)->class == OUTCOME_INTERNAL) return false;
  if (self->step_events.count + 1 < self->path.count) return false;
  for (uint32_t i = 0; i + 1 < self->path.count; i++) {
    const struct event *event = step_at(self, trace, i), *expected = &self->path.items[i + 1]->event;
    if (event->thread != expected->thread || event->alternative != expected->alternative) return false;
  }
  return true;
}

static struct event as_this_algorithm_sees(const struct dpor *self, const struct event *event) {
  struct event seen = *event;
  if (!self->rules->reads_conflict) return seen;
  if (seen.kind == EVENT_READ) seen.kind = EVENT_WRITE;
  if (seen.kind == EVENT_ATOMIC_READ || seen.kind == EVENT_ATOMIC_EXCHANGE_FAILED) seen.kind = EVENT_ATOMIC_WRITE;
  return seen;
}

static void push_events(struct dpor *self, const struct trace_view *trace, uint32_t from, uint32_t end) {
  for (uint32_t i = from; i < end; i++) {
    const struct event event = as_this_algorithm_sees(self, &trace->events[i]);
    if (event_is_step(&event))
      order_push(self->order, &event, trace_enabled_set(trace, &trace->events[i]),
                 trace_enabled_words(trace, &trace->events[i]));
    else
      order_push(self->order, &event, NULL, 0);
  }
}

/* Puts the steps of the path, but for the last one, on the stack. */
static void stack_path(struct dpor *self, const struct trace_view *trace) {
  const uint32_t wanted = self->path.count > 1 ? (uint32_t)self->path.count - 2 : 0;
  uint32_t common = 0;
  while (common < wanted && common < self->stacked.count &&
         self->stacked.items[common] == self->path.items[common + 1]->number)
    common++;
  order_pop(self->order, common);
  self->stacked.count = common;
  for (; common < wanted; common++) {
    push_events(self, trace, self->step_events.items[common], events_end(self, trace, common));
    vector_push(&self->stacked, self->path.items[common + 1]->number);
  }
}

static void reverse_races(struct dpor *self, const struct trace_view *trace, thread_id thread, uint32_t previous) {
  size_t count;
  const struct race *races = order_races(self->order, &count);
  bool looked_behind = false;
  for (size_t i = 0; i < count; i++) {
    const uint32_t earlier = races[i].earlier;
    const struct reversal_point race = {.point = self->path.items[earlier],
                                        .earlier = step_at(self, trace, earlier),
                                        .trace = trace,
                                        .thread = thread,
                                        .is_next = earlier >= previous};
    /* Of the races before the thread came to stand here the last one counts: the others are found when it is reversed.
     */
    if (!race.is_next && looked_behind) return;
    looked_behind = !race.is_next;
    self->rules->backtrack(self, &race);
  }
}

static void add_alternatives(struct dpor *self, const struct point *reached, const struct event *event) {
  if (event->alternatives < 2 || point_child(reached->parent, event->thread) != reached) return;
  for (uint16_t i = 0; i < event->alternatives; i++)
    if (i != event->alternative) backtrack_want(self->tree, reached->parent, (struct step){event->thread, i});
}

static void fall_asleep(struct dpor *self, struct point *point, const struct trace_view *trace, uint32_t step) {
  if (!self->rules->sleeps) return;
  const uint32_t from = self->step_events.items[step], end = events_end(self, trace, step);
  self->sleepers.count = 0;
  point_append_sleepers(point, &self->sleepers);
  point_fall_asleep(point, &self->sleepers, &trace->events[from], end - from);
}

/* The step behind which the run is at `point` now. */
static void follow_step(struct dpor *self, const struct trace_view *trace, struct point *point, uint32_t step) {
  const struct event *event = step_at(self, trace, step);
  const uint32_t previous = order_last_step_of(self->order, event->thread);
  add_alternatives(self, point, event);
  fall_asleep(self, point, trace, step);
  push_events(self, trace, self->step_events.items[step], self->step_events.items[step] + 1);
  vector_push(&self->stacked, point->number);
  reverse_races(self, trace, event->thread, previous);
  push_events(self, trace, self->step_events.items[step] + 1, events_end(self, trace, step));
  self->events++;
}

static void reverse_pending_races(struct dpor *self, const struct trace_view *trace) {
  for (uint32_t i = 0; i < trace->record->n_pending; i++) {
    struct event event;
    if (!order_find_pending_races(self->order, &trace->pendings[i], &event)) continue;
    reverse_races(self, trace, event.thread, order_last_step_of(self->order, event.thread));
  }
}

static double share_of(const struct point *point) {
  double share = 1;
  for (point = point->parent; point; point = point->parent) share /= point->n_children;
  return share;
}

/* From the root down, so that the deepest is taken first. */
static void list_points(struct dpor *self) {
  for (size_t i = 0; i < self->path.count; i++) backtrack_list(self->tree, self->path.items[i]);
}

static void follow(struct dpor *self, const struct trace_view *trace) {
  struct point *point = self->path.items[self->path.count - 1];
  stack_path(self, trace);
  if (point->parent) {
    const struct event *event = step_at(self, trace, point->depth - 1);
    point->event = *event;
    point->state = POINT_REACHED;
    follow_step(self, trace, point, point->depth - 1);
  } else if (self->step_events.count == 0) {
    return;
  }
  for (uint32_t step = point->depth; step < self->step_events.count; step++) {
    point = backtrack_advance(self->tree, point, step_at(self, trace, step));
    vector_push(&self->path, point);
    follow_step(self, trace, point, step);
  }
  reverse_pending_races(self, trace);
}

void dpor_absorb(void *memory, void *cookie, const struct trace_view *trace, uint64_t runs) {
  struct dpor *self = memory;
  find_path(self, cookie);
  find_steps(self, trace);
  if (followed_path(self, trace)) follow(self, trace);
  struct point *end = self->path.items[self->path.count - 1];
  self->done += share_of(end);
  self->blocked_runs += end->in_vain || outcome_row(trace->record->outcome)->class == OUTCOME_IN_VAIN;
  list_points(self);
  backtrack_end(self->tree, end);
}

void dpor_stats(const void *memory, struct strategy_stats *stats) {
  const struct dpor *self = memory;
  *stats = (struct strategy_stats){
      .events = self->events,
      .blocked_runs = self->blocked_runs,
      .left = backtrack_left(self->tree),
      .done = self->done < 1 ? self->done : 1,
  };
}
