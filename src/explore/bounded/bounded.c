/* SPDX-License-Identifier: MIT
 *
 * One run, or few, of each class of runs that has one with at most N preemptions. A class is a set of runs that differ
 * only in the order of steps that commute; a preemption is a step of another thread although the thread of the step
 * before could have moved, as in `exhaustive`.
 *
 * The search is one over classes of beginnings (classes.h). A run adds its steps to the graph; its races say where a
 * thread has to be interrupted, or where another has to come first. How a thread decides on inputs after its step is an
 * outcome of the step: inputs for the other sides are asked for (turns.h). docs/algorithms/bounded.md has the rules,
 * and the proof that no class is left out.
 */
#include "explore/bounded/bounded.h"

#include "base/error.h"
#include "explore/bounded/classes.h"
#include "explore/bounded/races.h"
#include "explore/bounded/turns.h"
#include "explore/strategy/input_notes.h"
#include "explore/strategy/strategy.h"
#include "trace/last_step.h"
#include "trace/tables.h"

#include <stdlib.h>

#define WINDOW 16
#define MOST_QUESTIONS 64 /* in vain, before the loop may look at the clock */

/* A run under way: at the class it takes the step, and perhaps decides in another way than runs before it. The first
 * run has class 0; NO_THREAD takes no step. */
struct bounded_attempt {
  class_id class;
  struct step step;
  struct turned turned;
  struct bounded_attempt *next; /* in the list of unused ones */
};

typedef VECTOR(struct fingerprint) fingerprint_list;

struct bounded {
  struct classes classes;
  struct turns turns;
  struct inputs *inputs;           /* NULL: none */
  VECTOR(struct values *) values;  /* by class: of a run that came there; those after the last have none */
  struct beginning run;            /* the last one that was absorbed */
  fingerprint_list decided;        /* by step of it, and before the first: what it then decided */
  fingerprint_list decided_before; /* by the run before it */
  VECTOR(uint32_t) step_events;
  VECTOR(class_id) path;
  struct completed_trace completed;
  struct bounded_attempt attempts[WINDOW];
  struct bounded_attempt *unused;
  struct deadline *deadline;
  struct input_notes notes;
  uint64_t seed, blocked_runs;
  bool started;
  bool has_many_threads; /* more than the sets of classes.h have room for */
};

static void put_back(struct bounded *self, struct bounded_attempt *attempt) {
  attempt->next = self->unused;
  self->unused = attempt;
}

static void *bounded_create(const struct strategy_settings *settings) {
  struct bounded *self = memory_allocate(sizeof *self);
  classes_init(&self->classes, bound_of(settings->own));
  self->inputs = settings->inputs;
  beginning_init(&self->run);
  for (size_t i = 0; i < WINDOW; i++) put_back(self, &self->attempts[i]);
  self->deadline = settings->deadline;
  self->seed = settings->seed;
  return self;
}

static void bounded_destroy(void *memory) {
  struct bounded *self = memory;
  classes_free(&self->classes);
  turns_free(&self->turns);
  for (size_t i = 0; i < self->values.count; i++) values_release(self->values.items[i]);
  vector_free(&self->values);
  vector_free(&self->decided);
  vector_free(&self->decided_before);
  beginning_free(&self->run);
  vector_free(&self->step_events);
  vector_free(&self->path);
  completed_trace_free(&self->completed);
  free(self);
}

void bounded_raise(void *memory, uint64_t max_preemptions) {
  struct bounded *self = memory;
  classes_raise_bound(&self->classes, max_preemptions);
}

/* ---- targets ---- */

/* The values are held for the caller. */
static bool take_turn(struct bounded *self, struct bounded_attempt *attempt, struct values **values) {
  for (int i = 0; i < MOST_QUESTIONS && self->turns.items.count > 0; i++) {
    enum answer answer;
    const struct turn turn = turns_ask(&self->turns, self->inputs, &attempt->turned, values, &answer);
    notes_look_at_answer(&self->notes, &turn.sides, answer);
    attempt->class = turn.class;
    attempt->step = turn.step;
    if (answer != ANSWER_UNSATISFIABLE) return answer == ANSWER_SATISFIABLE;
  }
  return false;
}

static bool take_step(struct bounded *self, struct bounded_attempt *attempt, struct values **values) {
  attempt->turned = (struct turned){0};
  if (!classes_take(&self->classes, &attempt->class, &attempt->step)) return false;
  *values = attempt->class < self->values.count ? values_hold(self->values.items[attempt->class]) : NULL;
  return true;
}

static bool choose(struct bounded *self, struct bounded_attempt *attempt, struct values **values) {
  if (self->started) return take_turn(self, attempt, values) || take_step(self, attempt, values);
  self->started = true;
  attempt->class = 0;
  attempt->step = (struct step){NO_THREAD, 0};
  attempt->turned = (struct turned){0};
  return true;
}

static bool bounded_next(void *memory, struct target *target) {
  struct bounded *self = memory;
  struct bounded_attempt *attempt = self->unused;
  struct values *values = NULL;
  BUG_ON(!attempt);
  if (!choose(self, attempt, &values)) return false;
  self->unused = attempt->next;
  if (attempt->step.thread != NO_THREAD) {
    classes_append_path(&self->classes, attempt->class, attempt->step.thread, &target->prefix);
    schedule_append(&target->prefix, &attempt->step, 1);
  }
  target_add_values(target, self->inputs, values);
  target_go_on(target, self->seed, attempt);
  return true;
}

/* ---- traces ---- */

static void find_steps(struct bounded *self, const struct trace_view *trace) {
  self->step_events.count = 0;
  for (uint32_t i = 0; i < trace->record->n_events; i++)
    if (event_is_step(&trace->events[i])) vector_push(&self->step_events, i);
}

static const struct event *event_of(const struct bounded *self, const struct trace_view *trace, uint32_t step) {
  return &trace->events[self->step_events.items[step]];
}

static uint64_t enabled_at(struct bounded *self, const struct trace_view *trace, uint32_t step) {
  if (step == self->step_events.count) return 0;
  const struct event *event = event_of(self, trace, step);
  if (trace_enabled_words(trace, event) > 1) self->has_many_threads = true;
  return *trace_enabled_set(trace, event);
}

/* By depth: all that the run decided there, also what an earlier decision implies, which another order of the steps
 * would make the first. */
static void find_decided(struct bounded *self, const struct trace_view *trace, const struct path *path) {
  const fingerprint_list old = self->decided_before;
  self->decided_before = self->decided;
  self->decided = old;
  self->decided.count = 0;
  for (size_t i = 0; i <= self->step_events.count; i++) vector_push(&self->decided, ((struct fingerprint){0}));
  for (uint32_t i = 0; path && i < trace->record->n_decisions; i++) {
    const uint32_t step = trace->decisions[i].step;
    struct fingerprint *decided = &self->decided.items[step < self->decided.count ? step : self->decided.count - 1];
    if (path_side(path, i)) fingerprint_add_side(decided, trace->decisions[i].thread, path_side(path, i));
  }
}

static bool decided_alike(const struct bounded *self, uint32_t depth) {
  if (depth >= self->decided_before.count) return false;
  const struct fingerprint *old = &self->decided_before.items[depth], *decided = &self->decided.items[depth];
  return old->low == decided->low && old->high == decided->high;
}

/* The beginning becomes that of the run, as far as both took the same steps and decided in the same way. */
static void keep_common(struct bounded *self, const struct trace_view *trace) {
  uint32_t common = 0;
  while (common < beginning_length(&self->run) && common < self->step_events.count && decided_alike(self, common)) {
    const struct event *old = beginning_event(&self->run, common), *event = event_of(self, trace, common);
    if (old->thread != event->thread || old->alternative != event->alternative) break;
    common++;
  }
  const uint32_t kept = common > 0 ? common - 1 : 0;
  beginning_cut(&self->run, kept);
  self->path.count = common > 0 ? kept + 1 : 0;
}

/* Adds the step and the events after it. */
static void push_step(struct bounded *self, const struct trace_view *trace, uint32_t step) {
  const uint32_t first = self->step_events.items[step];
  const uint32_t end = step + 1 < self->step_events.count ? self->step_events.items[step + 1] : trace->record->n_events;
  beginning_push(&self->run, &self->classes, trace, first, end);
}

/* Those of the run, for the classes from `first_new` on. Without inputs nothing is kept. */
static void keep_values(struct bounded *self, const struct path *path, size_t first_new) {
  if (!path) return;
  while (self->values.count < first_new) vector_push(&self->values, NULL);
  while (self->values.count < self->classes.classes.count) vector_push(&self->values, values_hold(path->values));
}

/* The classes that the run came through, after those that it has in common with the run before. */
static void find_classes(struct bounded *self, const struct trace_view *trace) {
  if (self->path.count == 0)
    vector_push(&self->path, classes_know_first(&self->classes, self->decided.items[0], enabled_at(self, trace, 0)));
  for (uint32_t i = (uint32_t)self->path.count - 1; i < self->step_events.count; i++) {
    const class_id class = classes_know_class(&self->classes, self->path.items[i], beginning_step(&self->run, i),
                                              self->decided.items[i + 1], enabled_at(self, trace, i + 1));
    vector_push(&self->path, class);
  }
}

/* Did the run come to the class, take the step there, and decide as it should? */
static bool followed_path(const struct bounded *self, const struct bounded_attempt *attempt, const struct path *path) {
  const struct turned *turned = &attempt->turned;
  const bool takes_step = attempt->step.thread != NO_THREAD;
  const uint32_t depth = takes_step ? class_at(&self->classes, attempt->class)->depth : 0;
  if (turned->constraint && !path_takes(path, turned->decision, depth + takes_step, turned->constraint)) return false;
  if (!takes_step) return true;
  if (depth >= beginning_length(&self->run) || self->path.items[depth] != attempt->class) return false;
  const struct event *event = beginning_event(&self->run, depth);
  return event->thread == attempt->step.thread && event->alternative == attempt->step.alternative;
}

/* The decisions that the run made when it had taken `depth` steps: those from `from` on have other sides. */
static void open_sides(struct bounded *self, const struct path *path, uint32_t depth, size_t from) {
  const size_t first = path ? path_first_at(path, depth) : 0;
  const bool is_end = depth == self->step_events.count;
  struct step step = {NO_THREAD, 0};
  if (depth > 0) {
    const struct event *event = beginning_event(&self->run, depth - 1);
    step = (struct step){event->thread, event->alternative};
  }
  for (size_t i = first > from ? first : from; path_decides(path, i, is_end ? UINT32_MAX : depth); i++) {
    struct sides sides;
    notes_look_at_decision(&self->notes, self->inputs, path, i);
    if (sides_open(&sides, self->inputs, &path->decisions[i]))
      turns_add(&self->turns, self->path.items[depth > 0 ? depth - 1 : 0], step, &sides, path, i);
  }
}

/* The run was made for it; or no run has taken a step of the thread there. */
static void open_new_sides(struct bounded *self, const struct bounded_attempt *attempt, const struct path *path,
                           uint32_t depth) {
  const bool takes_step = attempt->step.thread != NO_THREAD;
  const uint32_t own = takes_step ? class_at(&self->classes, attempt->class)->depth + 1 : 0;
  if (depth == own)
    open_sides(self, path, depth, attempt->turned.constraint ? attempt->turned.decision + 1 : 0);
  else if (depth > own && !classes_has_step_of(&self->classes, self->path.items[depth - 1],
                                               beginning_event(&self->run, depth - 1)->thread))
    open_sides(self, path, depth, 0);
}

/* From step `kept` on: the run before took those before it. */
static void link_steps(struct bounded *self, const struct bounded_attempt *attempt, const struct path *path,
                       uint32_t kept) {
  if (kept == 0) open_new_sides(self, attempt, path, 0);
  for (uint32_t i = kept; i < self->step_events.count; i++) {
    open_new_sides(self, attempt, path, i + 1);
    classes_link(&self->classes, self->path.items[i], beginning_step(&self->run, i), self->path.items[i + 1]);
  }
}

static void follow(struct bounded *self, const struct bounded_attempt *attempt, const struct trace_view *trace,
                   const struct path *path) {
  const size_t n_classes = self->classes.classes.count;
  find_decided(self, trace, path);
  keep_common(self, trace);
  const uint32_t kept = beginning_length(&self->run);
  for (uint32_t i = kept; i < self->step_events.count; i++) {
    if (deadline_is_over(self->deadline)) return;
    push_step(self, trace, i);
  }
  find_classes(self, trace);
  keep_values(self, path, n_classes);
  if (!followed_path(self, attempt, path)) self->notes.divergences++;
  link_steps(self, attempt, path, kept);
  beginning_end(&self->run, &self->classes, trace);
  self->blocked_runs += self->classes.classes.count == n_classes;
}

/* A run that the executor lost says nothing. */
static bool says_something(struct bounded *self, const struct trace_view *trace, const struct path *path) {
  if (outcome_row(trace->record->outcome)->class == OUTCOME_INTERNAL) return false;
  if (!run_is_lost(self->inputs, trace, path)) return true;
  self->notes.lost = true;
  return false;
}

static void bounded_absorb(void *memory, void *cookie, const struct trace_view *trace, const struct path *path,
                           uint64_t runs) {
  struct bounded *self = memory;
  struct bounded_attempt *attempt = cookie;
  struct trace_view completed;
  if (says_something(self, trace, path)) {
    if (trace_complete(&self->completed, trace, &completed)) trace = &completed;
    find_steps(self, trace);
    follow(self, attempt, trace, path);
  }
  put_back(self, attempt);
}

static void bounded_stats(const void *memory, struct strategy_stats *stats) {
  const struct bounded *self = memory;
  *stats = (struct strategy_stats){
      .events = self->classes.edges.count - 1,
      .blocked_runs = self->blocked_runs,
      .left = classes_left(&self->classes) + self->turns.items.count,
      .bounded = self->classes.n_short > 0 || self->has_many_threads,
  };
  notes_tell(&self->notes, stats);
}

/* Decisions about inputs fork too unevenly. */
static double bounded_part_done(const void *memory) {
  const struct bounded *self = memory;
  const bool has_inputs = self->inputs && inputs_count(self->inputs) > 0;
  return self->started && !has_inputs ? classes_part_done(&self->classes) : 0;
}

static void bounded_account(const void *memory, struct account *account) {
  const struct bounded *self = memory;
  if (self->has_many_threads) account_add_reason(account, REASON_MANY_THREADS);
  if (self->classes.n_short > 0) account_add_reason(account, REASON_PREEMPTIONS);
}

static const char *const option_names[] = {"max-preemptions", NULL};

const struct strategy strategy_bounded = {
    .name = "bounded",
    .help = "what optimal is with --max-preemptions: one run, or few, of each class that has one within the bound",
    .explores_inputs = true,
    .window = WINDOW,
    .default_max_runs = NO_LIMIT,
    .options = option_names,
    .implied_by = "max-preemptions",
    .settings_bytes = sizeof(struct bound_settings),
    .configure = bound_configure,
    .create = bounded_create,
    .destroy = bounded_destroy,
    .next = bounded_next,
    .absorb = bounded_absorb,
    .stats = bounded_stats,
    .part_done = bounded_part_done,
    .account = bounded_account,
};
