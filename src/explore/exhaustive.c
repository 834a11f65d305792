/* SPDX-License-Identifier: MIT
 *
 * Every interleaving of visible operations, each exactly once; with --max-preemptions N those with at most N
 * preemptions.
 *
 * A run follows a path of the execution tree and goes on by itself (POLICY_CONTINUE). At every new point of the run,
 * the other threads that could have moved, and the other ways the operation could have gone, become work of that point.
 * How many ways a thread's operation has is known once the thread has moved there with alternative 0.
 *
 * A preemption is a step of another thread than the one before, although that one could have moved.
 */
#include "explore/strategy.h"

#include "base/error.h"
#include "explore/tree.h"
#include "trace/tables.h"

#include <stdlib.h>

#define WINDOW 256

/* A run under way: it takes `step` at `node`, which it holds. The first run has NO_THREAD for a thread. */
struct attempt {
  struct tree_node *node;
  struct step step;
  struct attempt *next; /* in the list of unused ones */
};

struct exhaustive {
  struct tree *tree;
  struct attempt attempts[WINDOW];
  struct attempt *unused;
  uint64_t seed, max_preemptions, events;
  double done; /* shares of the runs made: see estimate.c */
  bool started, bounded;
};

static void put_back(struct exhaustive *self, struct attempt *attempt) {
  attempt->next = self->unused;
  self->unused = attempt;
}

static void *exhaustive_create(const struct strategy_settings *settings) {
  struct exhaustive *self = memory_allocate(sizeof *self);
  self->tree = tree_create();
  for (size_t i = 0; i < WINDOW; i++) put_back(self, &self->attempts[i]);
  self->seed = settings->seed;
  self->max_preemptions = settings->max_preemptions;
  return self;
}

static void exhaustive_destroy(void *memory) {
  struct exhaustive *self = memory;
  tree_destroy(self->tree);
  free(self);
}

static bool choose(struct exhaustive *self, struct attempt *attempt) {
  if (self->started) return tree_take_work(self->tree, &attempt->node, &attempt->step);
  self->started = true;
  attempt->node = tree_root(self->tree);
  attempt->step = (struct step){NO_THREAD, 0};
  tree_hold(attempt->node);
  return true;
}

static bool exhaustive_next(void *memory, struct target *target) {
  struct exhaustive *self = memory;
  struct attempt *attempt = self->unused;
  BUG_ON(!attempt);
  if (!choose(self, attempt)) return false;
  self->unused = attempt->next;
  tree_append_path(attempt->node, &target->prefix);
  target->record_from = attempt->node->depth;
  if (attempt->step.thread != NO_THREAD) schedule_append(&target->prefix, &attempt->step, 1);
  target->policy = POLICY_CONTINUE;
  target->seed = self->seed;
  target->runs = 1;
  target->cookie = attempt;
  return true;
}

static bool is_preemption(const struct tree_node *node, const struct trace_view *trace, const struct event *event,
                          thread_id thread) {
  const thread_id previous = node->step.thread;
  return previous != NO_THREAD && previous != thread && trace_was_enabled(trace, event, previous);
}

/* Would a step of another thread than the one before go beyond the bound here? */
static bool is_at_bound(const struct exhaustive *self, const struct tree_node *node, const struct trace_view *trace,
                        const struct event *event) {
  const thread_id previous = node->step.thread;
  return node->preemptions >= self->max_preemptions && previous != NO_THREAD &&
         trace_was_enabled(trace, event, previous);
}

static void add_other_threads(struct exhaustive *self, struct tree_node *node, const struct trace_view *trace,
                              const struct event *event) {
  const uint64_t *enabled = trace_enabled_set(trace, event);
  const size_t n_words = trace_enabled_words(trace, event);
  const bool at_bound = is_at_bound(self, node, trace, event);
  node->degree = 1;
  for (size_t word = 0; word < n_words; word++) {
    uint64_t others = enabled[word];
    if (event->thread / 64u == word) others &= ~(1ull << event->thread % 64u);
    if (others == 0) continue;
    if (at_bound) {
      self->bounded = true;
      return;
    }
    node->degree += (uint32_t)__builtin_popcountll(others);
    if (word == 0) tree_add_threads(self->tree, node, others);
    for (; word > 0 && others; others &= others - 1) {
      const struct step step = {(thread_id)(word * 64 + (size_t)__builtin_ctzll(others)), 0};
      tree_add_work(self->tree, node, step);
    }
  }
}

static void add_other_alternatives(struct exhaustive *self, struct tree_node *node, const struct event *event) {
  if (event->alternative != 0) return;
  for (uint16_t i = 1; i < event->alternatives; i++) tree_add_work(self->tree, node, (struct step){event->thread, i});
}

/* The point behind the step; `node` passes from the caller's hands into the child's. */
static struct tree_node *advance(struct exhaustive *self, struct tree_node *node, const struct trace_view *trace,
                                 const struct event *event) {
  const struct step step = {event->thread, event->alternative};
  struct tree_node *child = tree_add_child(self->tree, node, step);
  child->preemptions = node->preemptions + is_preemption(node, trace, event, event->thread);
  child->share = node->share / node->degree / event->alternatives;
  tree_release(self->tree, node);
  self->events++;
  return child;
}

/* A run that left its path says nothing about the tree. */
static bool followed_path(const struct attempt *attempt, const struct trace_view *trace) {
  if (outcome_row(trace->record->outcome)->class == OUTCOME_INTERNAL) return false;
  if (attempt->step.thread == NO_THREAD) return true;
  for (uint32_t i = 0; i < trace->record->n_events; i++)
    if (event_is_step(&trace->events[i]))
      return trace->events[i].thread == attempt->step.thread &&
             trace->events[i].alternative == attempt->step.alternative;
  return true;
}

static void exhaustive_absorb(void *memory, void *cookie, const struct trace_view *trace, uint64_t runs) {
  struct exhaustive *self = memory;
  struct attempt *attempt = cookie;
  struct tree_node *node = attempt->node;
  bool is_new = attempt->step.thread == NO_THREAD;
  const uint32_t n_events = followed_path(attempt, trace) ? trace->record->n_events : 0;
  for (uint32_t i = 0; i < n_events; i++) {
    const struct event *event = &trace->events[i];
    if (!event_is_step(event)) continue;
    if (is_new) add_other_threads(self, node, trace, event);
    add_other_alternatives(self, node, event);
    node = advance(self, node, trace, event);
    is_new = true;
  }
  self->done += node == attempt->node && node->degree > 0 ? node->share / node->degree : node->share;
  tree_release(self->tree, node);
  put_back(self, attempt);
}

static void exhaustive_stats(const void *memory, struct strategy_stats *stats) {
  const struct exhaustive *self = memory;
  *stats = (struct strategy_stats){
      .events = self->events,
      .left = tree_work_left(self->tree),
      .bounded = self->bounded,
      .done = self->done < 1 ? self->done : 1,
  };
}

const struct strategy strategy_exhaustive = {
    .name = "exhaustive",
    .help = "every interleaving of visible operations, each once",
    .window = WINDOW,
    .default_max_runs = NO_LIMIT,
    .create = exhaustive_create,
    .destroy = exhaustive_destroy,
    .next = exhaustive_next,
    .absorb = exhaustive_absorb,
    .stats = exhaustive_stats,
};
