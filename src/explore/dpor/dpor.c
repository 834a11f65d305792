/* SPDX-License-Identifier: MIT
 *
 * A trace has all events of its run, also those of the prefix: the stack of happens-before is popped to where this run
 * and the last one part, and the rest is pushed from the trace.
 *
 * Many runs may be under way: a child that is started while its siblings' subtrees are not explored yet sleeps as if
 * they were, because they will be.
 *
 * Decisions are points between steps. A run for another side of a decision begins with the step before it: what that
 * step does until the next one (an atomic section, whether a compare-and-exchange writes) may be different on that
 * side, so its races and whom it wakes are looked at again.
 */
#include "explore/dpor/dpor.h"

#include "base/error.h"
#include "explore/strategy/input_notes.h"
#include "trace/last_step.h"
#include "trace/order.h"
#include "trace/tables.h"

#include <stdlib.h>

#define MOST_QUESTIONS 64 /* in vain, before the loop may look at the clock */

struct dpor {
  const struct dpor_rules *rules;
  struct backtrack *tree;
  struct order *order;
  struct deadline *deadline;
  struct inputs *inputs; /* NULL: none */
  struct input_notes notes;
  term_list constraints;
  VECTOR(uint64_t) stacked;      /* by step on the stack of happens-before: the number of the point of the next step */
  VECTOR(struct point *) path;   /* of the run being absorbed, from the root: steps and decisions */
  VECTOR(struct point *) places; /* by step of that run: the point where it is taken; last, where the run ended */
  VECTOR(uint32_t) step_events;  /* the places of its steps among its events */
  event_list sleepers;
  struct completed_trace completed;
  uint64_t seed, runs, events, blocked_runs;
  enum policy policy;
  uint32_t max_steps; /* of a run */
  bool started;
};

void *dpor_create(const struct strategy_settings *settings, const struct dpor_rules *rules) {
  struct dpor *self = memory_allocate(sizeof *self);
  self->rules = rules;
  self->tree = backtrack_create();
  self->order = order_create();
  self->inputs = settings->inputs;
  self->deadline = settings->deadline;
  self->seed = settings->seed;
  self->max_steps = settings->max_events;
  self->policy = order_policy(settings->own);
  return self;
}

void dpor_destroy(void *memory) {
  struct dpor *self = memory;
  backtrack_destroy(self->tree);
  order_destroy(self->order);
  vector_free(&self->stacked);
  vector_free(&self->path);
  vector_free(&self->places);
  vector_free(&self->constraints);
  vector_free(&self->step_events);
  vector_free(&self->sleepers);
  completed_trace_free(&self->completed);
  free(self);
}

/* --- targets --- */

/* Inputs for the next side of the point's decision, and the point after it; NULL: that one was in vain. */
static struct point *take_side(struct dpor *self, struct point *point, struct values **values, enum answer *answer) {
  struct sides *sides = point->sides;
  struct point *side = NULL;
  term_id constraint;
  point_list_constraints(point, &self->constraints);
  *answer = sides_next(sides, self->inputs, self->constraints.items, self->constraints.count, point->values, values,
                       &constraint);
  notes_look_at_answer(&self->notes, sides, *answer);
  if (*answer == ANSWER_SATISFIABLE) side = backtrack_take_side(self->tree, point, constraint);
  if (sides->stage != SIDES_OVER) return side;
  backtrack_end_sides(self->tree, point);
  return side;
}

static struct point *take_work(struct dpor *self, struct values **values) {
  enum answer answer = ANSWER_UNSATISFIABLE;
  for (int i = 0; i < MOST_QUESTIONS && answer == ANSWER_UNSATISFIABLE; i++) {
    struct point *point = backtrack_newest(self->tree, self->rules->sleeps);
    if (!point) return NULL;
    if (!point->sides) return backtrack_take(self->tree, point, values);
    struct point *side = take_side(self, point, values, &answer);
    if (side) return side;
  }
  return NULL;
}

static struct point *choose(struct dpor *self, struct values **values) {
  if (self->started) return take_work(self, values);
  self->started = true;
  return backtrack_root(self->tree);
}

bool dpor_next(void *memory, struct target *target) {
  struct dpor *self = memory;
  struct values *values = NULL;
  struct point *point = choose(self, &values);
  if (!point) return false;
  point_append_path(point, &target->prefix);
  if (self->rules->sleeps) point_append_sleepers(point, &target->sleepers);
  if (values) inputs_append_values(self->inputs, values, &target->inputs);
  values_release(values);
  target->plan.policy = self->policy;
  target->plan.seed = self->seed + self->runs++;
  target->plan.runs = 1;
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

static void visit(struct dpor *self, struct point *point) {
  vector_push(&self->path, point);
  self->places.count = point->depth;
  vector_push(&self->places, point);
}

static void find_path(struct dpor *self, struct point *point) {
  self->path.count = self->places.count = 0;
  for (const size_t length = point->depth + point->decisions + 1; self->path.count < length;)
    vector_push(&self->path, NULL);
  for (; point; point = point->parent) self->path.items[point->depth + point->decisions] = point;
  for (size_t i = 0; i < self->path.count; i++) {
    self->places.count = self->path.items[i]->depth;
    vector_push(&self->places, self->path.items[i]);
  }
}

/* Did the run come to the point from its parent? */
static bool came_to(const struct dpor *self, const struct point *point, const struct trace_view *trace,
                    const struct path *path) {
  if (point->constraint) return path_takes(path, point->decisions - 1, point->depth, point->constraint);
  if (point->depth > self->step_events.count || path_decides(path, point->decisions, point->depth - 1)) return false;
  const struct event *event = step_at(self, trace, point->depth - 1);
  return event->thread == point->event.thread && event->alternative == point->event.alternative;
}

/* A run that left its path, or did not reach its end, says nothing about the tree. */
static bool followed_path(struct dpor *self, const struct trace_view *trace, const struct path *path) {
  if (outcome_row(trace->record->outcome)->class == OUTCOME_INTERNAL) return false;
  if (run_is_lost(self->inputs, trace, path)) {
    self->notes.lost = true;
    return false;
  }
  for (size_t i = 1; i < self->path.count; i++) {
    if (came_to(self, self->path.items[i], trace, path)) continue;
    self->notes.divergences++;
    return false;
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
  const uint32_t wanted = self->places.count > 1 ? (uint32_t)self->places.count - 2 : 0;
  uint32_t common = 0;
  while (common < wanted && common < self->stacked.count &&
         self->stacked.items[common] == self->places.items[common + 1]->number)
    common++;
  order_pop(self->order, common);
  self->stacked.count = common;
  for (; common < wanted; common++) {
    push_events(self, trace, self->step_events.items[common], events_end(self, trace, common));
    vector_push(&self->stacked, self->places.items[common + 1]->number);
  }
}

/* Of the races before the thread came to stand where it is, and of which one happens before the other, the last one
 * counts: the other is found when that is reversed. Posts of a semaphore, or sends, are not ordered: each counts. */
static bool is_found_later(const struct dpor *self, const struct race *races, size_t which, uint32_t previous) {
  const uint32_t earlier = races[which].earlier;
  for (size_t i = 0; i < which && earlier < previous; i++)
    if (races[i].earlier < previous && order_happens_before(self->order, earlier, races[i].earlier)) return true;
  return false;
}

static void reverse_races(struct dpor *self, const struct trace_view *trace, thread_id thread, uint32_t previous) {
  size_t count;
  const struct race *races = order_races(self->order, &count);
  for (size_t i = 0; i < count; i++) {
    const uint32_t earlier = races[i].earlier;
    const struct reversal_point race = {.point = self->places.items[earlier],
                                        .earlier = step_at(self, trace, earlier),
                                        .trace = trace,
                                        .thread = thread,
                                        .is_next = earlier >= previous};
    if (!is_found_later(self, races, i, previous)) self->rules->backtrack(self, &race);
  }
}

static void add_alternatives(struct dpor *self, const struct point *reached, const struct event *event) {
  if (event->alternatives < 2 || point_child(reached->parent, event->thread) != reached) return;
  for (uint16_t i = 0; i < event->alternatives; i++)
    if (i != event->alternative) backtrack_want(self->tree, reached->parent, (struct step){event->thread, i});
}

static void fall_asleep(struct dpor *self, struct point *point, const struct trace_view *trace) {
  if (!self->rules->sleeps || point->depth == 0) return;
  const uint32_t step = point->depth - 1;
  const uint32_t from = self->step_events.items[step], end = events_end(self, trace, step);
  self->sleepers.count = 0;
  point_append_sleepers(point, &self->sleepers);
  point_fall_asleep(point, &self->sleepers, &trace->events[from], end - from);
}

/* Puts the step on the stack and reverses its races. */
static void push_step(struct dpor *self, const struct trace_view *trace, uint32_t step) {
  const struct event *event = step_at(self, trace, step);
  const uint32_t previous = order_last_step_of(self->order, event->thread);
  push_events(self, trace, self->step_events.items[step], self->step_events.items[step] + 1);
  reverse_races(self, trace, event->thread, previous);
  push_events(self, trace, self->step_events.items[step] + 1, events_end(self, trace, step));
}

static void note_decision(struct point *point) {
  while (point->constraint) point = point->parent;
  point->decides = true;
}

static struct point *follow_decision(struct dpor *self, struct point *point, const struct path *path) {
  const size_t i = point->decisions;
  struct sides sides;
  notes_look_at_decision(&self->notes, self->inputs, path, i);
  if (sides_open(&sides, self->inputs, &path->decisions[i])) {
    backtrack_add_sides(self->tree, point, &sides);
    note_decision(point);
  }
  self->events++;
  return backtrack_advance_side(self->tree, point, path->decisions[i].constraint);
}

/* The decisions that the run made between its step to `point` and the next. Returns the point where that is taken. */
static struct point *follow_decisions(struct dpor *self, const struct trace_view *trace, struct point *point,
                                      const struct path *path) {
  const bool is_end = point->depth == self->step_events.count;
  while (path_decides(path, point->decisions, is_end ? UINT32_MAX : point->depth)) {
    point = follow_decision(self, point, path);
    visit(self, point);
  }
  fall_asleep(self, point, trace);
  if (point->depth > 0) vector_push(&self->stacked, point->number);
  return point;
}

static void reverse_pending_races(struct dpor *self, const struct trace_view *trace) {
  for (uint32_t i = 0; i < trace->record->n_pending; i++) {
    struct event event;
    if (!order_find_pending_races(self->order, &trace->pendings[i], &event)) continue;
    reverse_races(self, trace, event.thread, order_last_step_of(self->order, event.thread));
  }
}

/* The step that ended the run took away what the others could still have done: it is in a race with all of it. */
static void reverse_end(struct dpor *self, const struct trace_view *trace) {
  if (!run_was_cut_short(trace) || self->step_events.count == 0) return;
  const uint32_t last = (uint32_t)self->step_events.count - 1;
  struct reversal_point race = {
      .point = self->places.items[last], .earlier = step_at(self, trace, last), .trace = trace, .is_next = true};
  const size_t n_threads = 64 * trace_enabled_words(trace, race.earlier);
  for (size_t thread = 0; thread < n_threads; thread++) {
    race.thread = (thread_id)thread;
    if (thread != race.earlier->thread && dpor_could_move(&race, race.thread)) self->rules->backtrack(self, &race);
  }
}

/* From the root down, so that the deepest is taken first. */
static void list_points(struct dpor *self, const struct path *path) {
  struct values *values = path ? path->values : NULL;
  for (size_t i = 0; i < self->path.count; i++) backtrack_list(self->tree, self->path.items[i], values);
}

/* The beginning: what is at the end of the path is known to be reached now. */
static void arrive(struct dpor *self, const struct trace_view *trace, struct point *point) {
  stack_path(self, trace);
  point->state = POINT_REACHED;
  if (point->depth == 0) return;
  if (!point->constraint) {
    point->event = *step_at(self, trace, point->depth - 1);
    add_alternatives(self, point, &point->event);
    self->events++;
  }
  push_step(self, trace, point->depth - 1);
}

static void follow(struct dpor *self, const struct trace_view *trace, const struct path *path) {
  struct point *point = self->path.items[self->path.count - 1];
  arrive(self, trace, point);
  point = follow_decisions(self, trace, point, path);
  while (point->depth < self->step_events.count) {
    const struct event *event = step_at(self, trace, point->depth);
    if (deadline_is_over(self->deadline)) return;
    point = backtrack_advance(self->tree, point, event);
    visit(self, point);
    add_alternatives(self, point, event);
    push_step(self, trace, point->depth - 1);
    self->events++;
    point = follow_decisions(self, trace, point, path);
  }
  reverse_pending_races(self, trace);
  reverse_end(self, trace);
  list_points(self, path);
}

void dpor_absorb(void *memory, void *cookie, const struct trace_view *trace, const struct path *path, uint64_t runs) {
  struct dpor *self = memory;
  struct trace_view completed;
  if (trace_complete(&self->completed, trace, &completed)) trace = &completed;
  find_path(self, cookie);
  find_steps(self, trace);
  if (followed_path(self, trace, path)) follow(self, trace, path);
  struct point *end = self->path.items[self->path.count - 1];
  self->blocked_runs += end->in_vain || outcome_row(trace->record->outcome)->class == OUTCOME_IN_VAIN;
  backtrack_end(self->tree, end);
}

void dpor_stats(const void *memory, struct strategy_stats *stats) {
  const struct dpor *self = memory;
  *stats = (struct strategy_stats){
      .events = self->events,
      .blocked_runs = self->blocked_runs,
      .left = backtrack_left(self->tree),
  };
  notes_tell(&self->notes, stats);
}

/* --- the written form: the stack of happens-before is made again from the next trace --- */

void dpor_save(const void *memory, void *const *cookies, size_t n_cookies, struct text *state) {
  const struct dpor *self = memory;
  written_add_number(state, self->started);
  backtrack_write(self->tree, cookies, n_cookies, state);
  written_add_number(state, self->runs);
  written_add_number(state, self->events);
  written_add_number(state, self->blocked_runs);
  notes_write(&self->notes, state);
}

bool dpor_load(void *memory, struct written *state, void **cookies, size_t n_cookies) {
  struct dpor *self = memory;
  self->started = written_take_bool(state);
  if (n_cookies > DPOR_WINDOW || !backtrack_read(self->tree, state, self->started, self->max_steps, cookies, n_cookies))
    return false;
  self->runs = written_take_number(state);
  self->events = written_take_number(state);
  self->blocked_runs = written_take_number(state);
  notes_read(&self->notes, state);
  return !state->failed;
}
