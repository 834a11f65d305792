/* SPDX-License-Identifier: MIT
 *
 * One run, or few, of each class of runs that has one with at most N preemptions. A class is a set of runs that differ
 * only in the order of steps that commute; a preemption is a step of another thread although the thread of the step
 * before could have moved, as in `exhaustive`.
 *
 * The search is one over classes of beginnings (classes.h). A run adds its steps to the graph; its races say where a
 * thread has to be interrupted, or where another has to come first. docs/algorithms/bounded.md has the rules, and the
 * proof that no class is left out.
 */
#include "explore/bounded/bounded.h"

#include "base/error.h"
#include "explore/bounded/classes.h"
#include "explore/bounded/races.h"
#include "explore/strategy/strategy.h"
#include "trace/last_step.h"
#include "trace/tables.h"

#include <stdlib.h>

#define WINDOW 16

/* A run under way: at the class it takes the step. The first run has NO_THREAD for a thread. */
struct bounded_attempt {
  class_id class;
  struct step step;
  struct bounded_attempt *next; /* in the list of unused ones */
};

struct bounded {
  struct classes classes;
  struct beginning run; /* the last one that was absorbed */
  VECTOR(uint32_t) step_events;
  VECTOR(class_id) path;
  struct completed_trace completed;
  struct bounded_attempt attempts[WINDOW];
  struct bounded_attempt *unused;
  struct deadline *deadline;
  uint64_t seed, blocked_runs, divergences;
  bool started;
  bool has_many_threads; /* more than the sets of classes.h have room for */
};

static void put_back(struct bounded *self, struct bounded_attempt *attempt) {
  attempt->next = self->unused;
  self->unused = attempt;
}

static void *bounded_create(const struct strategy_settings *settings) {
  const struct bounded_settings *own = settings->own;
  struct bounded *self = memory_allocate(sizeof *self);
  classes_init(&self->classes, own ? own->max_preemptions : NO_LIMIT);
  beginning_init(&self->run);
  for (size_t i = 0; i < WINDOW; i++) put_back(self, &self->attempts[i]);
  self->deadline = settings->deadline;
  self->seed = settings->seed;
  return self;
}

static void bounded_destroy(void *memory) {
  struct bounded *self = memory;
  classes_free(&self->classes);
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

static bool choose(struct bounded *self, struct bounded_attempt *attempt) {
  if (self->started) return classes_take(&self->classes, &attempt->class, &attempt->step);
  self->started = true;
  attempt->class = ROOT_CLASS;
  attempt->step = (struct step){NO_THREAD, 0};
  return true;
}

static bool bounded_next(void *memory, struct target *target) {
  struct bounded *self = memory;
  struct bounded_attempt *attempt = self->unused;
  BUG_ON(!attempt);
  if (!choose(self, attempt)) return false;
  self->unused = attempt->next;
  classes_append_path(&self->classes, attempt->class, attempt->step.thread, &target->prefix);
  if (attempt->step.thread != NO_THREAD) schedule_append(&target->prefix, &attempt->step, 1);
  target->plan.policy = POLICY_CONTINUE;
  target->plan.seed = self->seed;
  target->plan.runs = 1;
  target->cookie = attempt;
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

/* The beginning becomes that of the run, as far as both are the same. */
static void keep_common(struct bounded *self, const struct trace_view *trace) {
  uint32_t common = 0;
  while (common < beginning_length(&self->run) && common < self->step_events.count) {
    const struct event *old = beginning_event(&self->run, common), *event = event_of(self, trace, common);
    if (old->thread != event->thread || old->alternative != event->alternative) break;
    common++;
  }
  beginning_cut(&self->run, common > 0 ? common - 1 : 0);
}

/* Adds the step and the events after it. */
static void push_step(struct bounded *self, const struct trace_view *trace, uint32_t step) {
  const uint32_t first = self->step_events.items[step];
  const uint32_t end =
      step + 1 < self->step_events.count ? self->step_events.items[step + 1] : trace->record->n_events;
  beginning_push(&self->run, &self->classes, trace, first, end);
}

/* Did the run come to the class, and take the step there? */
static bool followed_path(const struct bounded *self, const struct bounded_attempt *attempt) {
  if (attempt->step.thread == NO_THREAD) return true;
  const uint32_t depth = class_at(&self->classes, attempt->class)->depth;
  if (depth >= beginning_length(&self->run) || self->path.items[depth] != attempt->class) return false;
  const struct event *event = beginning_event(&self->run, depth);
  return event->thread == attempt->step.thread && event->alternative == attempt->step.alternative;
}

/* The classes that the run came through. */
static void find_classes(struct bounded *self, const struct trace_view *trace) {
  class_id class = ROOT_CLASS;
  class_at(&self->classes, class)->enabled = enabled_at(self, trace, 0);
  self->path.count = 0;
  vector_push(&self->path, class);
  for (uint32_t i = 0; i < self->step_events.count; i++) {
    class = classes_know_class(&self->classes, class, beginning_step(&self->run, i), enabled_at(self, trace, i + 1));
    vector_push(&self->path, class);
  }
}

static void follow(struct bounded *self, const struct bounded_attempt *attempt, const struct trace_view *trace) {
  const uint32_t n_steps = (uint32_t)self->step_events.count;
  keep_common(self, trace);
  for (uint32_t i = beginning_length(&self->run); i < n_steps; i++) {
    if (deadline_is_over(self->deadline)) return;
    push_step(self, trace, i);
  }
  find_classes(self, trace);
  if (!followed_path(self, attempt)) self->divergences++;
  for (uint32_t i = 0; i < n_steps; i++)
    classes_link(&self->classes, self->path.items[i], beginning_step(&self->run, i), self->path.items[i + 1]);
  beginning_end(&self->run, &self->classes, trace);
}

static void bounded_absorb(void *memory, void *cookie, const struct trace_view *trace, const struct path *path,
                           uint64_t runs) {
  struct bounded *self = memory;
  struct bounded_attempt *attempt = cookie;
  struct trace_view completed;
  if (outcome_row(trace->record->outcome)->class != OUTCOME_INTERNAL) {
    if (trace_complete(&self->completed, trace, &completed)) trace = &completed;
    const size_t n_classes = self->classes.classes.count;
    find_steps(self, trace);
    follow(self, attempt, trace);
    self->blocked_runs += self->classes.classes.count == n_classes;
  }
  put_back(self, attempt);
}

static void bounded_stats(const void *memory, struct strategy_stats *stats) {
  const struct bounded *self = memory;
  *stats = (struct strategy_stats){
      .events = self->classes.edges.count - 1,
      .blocked_runs = self->blocked_runs,
      .left = classes_left(&self->classes),
      .bounded = self->classes.n_short > 0 || self->has_many_threads,
      .divergences = self->divergences,
  };
}

static void bounded_account(const void *memory, struct account *account) {
  const struct bounded *self = memory;
  if (self->classes.n_short > 0) account_add_reason(account, REASON_PREEMPTIONS);
}

static bool bounded_configure(void *own, const struct option_source *source, struct error *error) {
  struct bounded_settings *settings = own;
  (void)error;
  settings->max_preemptions = option_number(source, "max-preemptions", NO_LIMIT);
  return true;
}

static const char *const option_names[] = {"max-preemptions", NULL};

const struct strategy strategy_bounded = {
    .name = "bounded",
    .help = "one run, or few, of each class of runs that has one with at most --max-preemptions",
    .window = WINDOW,
    .default_max_runs = NO_LIMIT,
    .options = option_names,
    .settings_bytes = sizeof(struct bounded_settings),
    .configure = bounded_configure,
    .create = bounded_create,
    .destroy = bounded_destroy,
    .next = bounded_next,
    .absorb = bounded_absorb,
    .stats = bounded_stats,
    .account = bounded_account,
};
