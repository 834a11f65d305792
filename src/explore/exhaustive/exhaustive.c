/* SPDX-License-Identifier: MIT
 *
 * Every interleaving of visible operations, each exactly once; with --max-preemptions N those with at most N
 * preemptions. For programs with inputs: every interleaving together with every way through the decisions that depend
 * on inputs, each once.
 *
 * A run follows a path of the execution tree and continues by itself (POLICY_CONTINUE). At every new point of the run,
 * the other threads that could have moved, and the other ways the operation could have gone, become work of that point.
 * How many ways a thread's operation has is known once the thread has moved there with alternative 0. At a decision the
 * other sides become work; whether there are inputs that take them is asked when their turn comes (sides.h).
 *
 * A preemption is a step of another thread than the one before, although that one could have moved.
 */

#include "base/error.h"
#include "explore/exhaustive/tree.h"
#include "explore/strategy/input_notes.h"
#include "explore/strategy/strategy.h"
#include "trace/tables.h"

#include <stdlib.h>

#define WINDOW 256
#define MOST_QUESTIONS 64 /* in vain, before the loop may look at the clock */

/* A run under way: at `node`, which it holds, it takes `step`, or the side of `constraint`. The first run has NO_THREAD
 * for a thread. */
struct exhaustive_attempt {
  struct tree_node *node;
  struct step step;
  term_id constraint;              /* 0: a step */
  double share;                    /* of a side */
  struct exhaustive_attempt *next; /* in the list of unused ones */
};

struct exhaustive {
  struct tree *tree;
  struct inputs *inputs; /* NULL: none */
  struct exhaustive_attempt attempts[WINDOW];
  struct exhaustive_attempt *unused;
  term_list constraints;
  uint64_t seed, max_preemptions, events;
  uint32_t max_steps; /* of a run */
  double done;        /* shares of the runs made: see estimate.c */
  bool started, bounded;
  struct input_notes notes;
};

static void put_back(struct exhaustive *self, struct exhaustive_attempt *attempt) {
  attempt->next = self->unused;
  self->unused = attempt;
}

static void *exhaustive_create(const struct strategy_settings *settings) {
  struct exhaustive *self = memory_allocate(sizeof *self);
  self->tree = tree_create();
  self->inputs = settings->inputs;
  for (size_t i = 0; i < WINDOW; i++) put_back(self, &self->attempts[i]);
  self->seed = settings->seed;
  self->max_steps = settings->max_events;
  self->max_preemptions = bound_of(settings->own);
  return self;
}

static void exhaustive_destroy(void *memory) {
  struct exhaustive *self = memory;
  tree_destroy(self->tree);
  vector_free(&self->constraints);
  free(self);
}

/* --- what to run --- */

/* Half of what is left for each address, everything for the only other side. */
static double take_share(struct sides *sides) {
  const double share = sides->stage == SIDES_OVER ? sides->share : sides->share / 2;
  sides->share -= share;
  return share;
}

static void end_sides(struct exhaustive *self, const struct sides *sides) {
  self->done += sides->share;
  tree_end_sides(self->tree);
}

/* Inputs for the next side of the newest point's decision. */
static enum answer take_side(struct exhaustive *self, struct exhaustive_attempt *attempt, struct values **values) {
  struct tree_node *node = tree_newest(self->tree);
  struct sides *sides = node->sides;
  tree_list_constraints(node, &self->constraints);
  const enum answer answer = sides_next(sides, self->inputs, self->constraints.items, self->constraints.count,
                                        node->values, values, &attempt->constraint);
  if (answer == ANSWER_SATISFIABLE) {
    attempt->node = node;
    attempt->share = take_share(sides);
    tree_hold(node);
  }
  notes_look_at_answer(&self->notes, sides, answer);
  if (sides->stage == SIDES_OVER) end_sides(self, sides);
  return answer;
}

static bool take_work(struct exhaustive *self, struct exhaustive_attempt *attempt, struct values **values) {
  for (int i = 0; i < MOST_QUESTIONS; i++) {
    struct tree_node *node = tree_newest(self->tree);
    if (!node) return false;
    attempt->constraint = 0;
    if (!node->sides) {
      attempt->node = node;
      attempt->step = tree_take_step(self->tree, values);
      return true;
    }
    const enum answer answer = take_side(self, attempt, values);
    if (answer == ANSWER_SATISFIABLE) return true;
    if (answer == ANSWER_UNKNOWN) return false;
  }
  return false;
}

static bool choose(struct exhaustive *self, struct exhaustive_attempt *attempt, struct values **values) {
  if (self->started) return take_work(self, attempt, values);
  self->started = true;
  attempt->node = tree_root(self->tree);
  attempt->step = (struct step){NO_THREAD, 0};
  attempt->constraint = 0;
  tree_hold(attempt->node);
  return true;
}

static bool exhaustive_next(void *memory, struct target *target) {
  struct exhaustive *self = memory;
  struct exhaustive_attempt *attempt = self->unused;
  struct values *values = NULL;
  BUG_ON(!attempt);
  if (!choose(self, attempt, &values)) return false;
  self->unused = attempt->next;
  tree_append_path(self->tree, attempt->node, &target->prefix);
  target->plan.record_from = attempt->node->depth;
  if (!attempt->constraint && attempt->step.thread != NO_THREAD) schedule_append(&target->prefix, &attempt->step, 1);
  target_add_values(target, self->inputs, values);
  target_go_on(target, self->seed, attempt);
  return true;
}

/* --- steps --- */

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

/* The point after the step; `node` passes from the caller's hands into the child's. */
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

static struct tree_node *follow_step(struct exhaustive *self, struct tree_node *node, const struct trace_view *trace,
                                     const struct path *path, const struct event *event, bool is_new) {
  if (is_new) add_other_threads(self, node, trace, event);
  add_other_alternatives(self, node, event);
  if (path) tree_set_values(node, path->values);
  return advance(self, node, trace, event);
}

/* --- decisions --- */

/* The point after the side that was taken; `node` passes from the caller's hands into the child's. */
static struct tree_node *follow_decision(struct exhaustive *self, struct tree_node *node, const struct path *path,
                                         size_t i, const struct exhaustive_attempt *attempt, bool is_new) {
  struct sides sides;
  struct tree_node *child = tree_add_side(self->tree, node, path->decisions[i].constraint);
  child->share = is_new ? node->share : attempt->share;
  if (is_new) notes_look_at_decision(&self->notes, self->inputs, path, i);
  if (is_new && sides_open(&sides, self->inputs, &path->decisions[i])) {
    sides.share = child->share = node->share / 2;
    tree_add_sides(self->tree, node, &sides);
    tree_set_values(node, path->values);
  }
  tree_release(self->tree, node);
  self->events++;
  return child;
}

/* Did the run decide as the path to the node says? */
static bool decided_as(const struct tree_node *node, const struct path *path) {
  for (; node->decisions > 0; node = node->parent)
    if (node->constraint && !path_takes(path, node->decisions - 1, node->depth, node->constraint)) return false;
  return true;
}

/* The step, or the side, that the run was made for. */
static bool took_its_way(const struct exhaustive_attempt *attempt, const struct trace_view *trace,
                         const struct path *path) {
  const struct tree_node *node = attempt->node;
  const bool decides = path_decides(path, node->decisions, node->depth);
  if (attempt->constraint) return decides && path->decisions[node->decisions].constraint == attempt->constraint;
  if (attempt->step.thread == NO_THREAD) return true;
  for (uint32_t i = 0; i < trace->record->n_events; i++)
    if (event_is_step(&trace->events[i]))
      return !decides && trace->events[i].thread == attempt->step.thread &&
             trace->events[i].alternative == attempt->step.alternative;
  return true;
}

/* --- what was run --- */

/* A run that left its path says nothing about the tree. */
static bool followed_path(struct exhaustive *self, const struct exhaustive_attempt *attempt,
                          const struct trace_view *trace, const struct path *path) {
  if (outcome_row(trace->record->outcome)->class == OUTCOME_INTERNAL) return false;
  if (run_is_lost(self->inputs, trace, path)) {
    self->notes.lost = true;
    return false;
  }
  if (decided_as(attempt->node, path) && took_its_way(attempt, trace, path)) return true;
  self->notes.divergences++;
  return false;
}

/* Steps and decisions of the run in their order, from the attempt on. */
static struct tree_node *follow(struct exhaustive *self, const struct exhaustive_attempt *attempt,
                                const struct trace_view *trace, const struct path *path) {
  struct tree_node *node = attempt->node;
  const uint32_t n_events = trace->record->n_events;
  size_t decision = node->decisions;
  bool is_new = !attempt->constraint && attempt->step.thread == NO_THREAD;
  for (uint32_t i = 0;; is_new = true) {
    while (i < n_events && !event_is_step(&trace->events[i])) i++;
    if (path_decides(path, decision, i == n_events ? UINT32_MAX : node->depth))
      node = follow_decision(self, node, path, decision++, attempt, is_new);
    else if (i < n_events)
      node = follow_step(self, node, trace, path, &trace->events[i++], is_new);
    else
      return node;
  }
}

/* The share of a run that did not come past its beginning. */
static double share_of(const struct exhaustive_attempt *attempt) {
  if (attempt->constraint) return attempt->share;
  return attempt->node->degree > 0 ? attempt->node->share / attempt->node->degree : attempt->node->share;
}

static void exhaustive_absorb(void *memory, void *cookie, const struct trace_view *trace, const struct path *path,
                              uint64_t runs) {
  struct exhaustive *self = memory;
  struct exhaustive_attempt *attempt = cookie;
  struct tree_node *node = attempt->node;
  if (followed_path(self, attempt, trace, path)) node = follow(self, attempt, trace, path);
  self->done += node == attempt->node ? share_of(attempt) : node->share;
  tree_release(self->tree, node);
  put_back(self, attempt);
}

static void exhaustive_stats(const void *memory, struct strategy_stats *stats) {
  const struct exhaustive *self = memory;
  *stats = (struct strategy_stats){
      .events = self->events,
      .left = tree_work_left(self->tree),
      .bounded = self->bounded,
      .makes_all = self->max_preemptions == NO_LIMIT,
  };
  notes_tell(&self->notes, stats);
}

static double exhaustive_part_done(const void *memory) {
  const struct exhaustive *self = memory;
  return self->done < 1 ? self->done : 1;
}

static void exhaustive_account(const void *memory, struct account *account) {
  const struct exhaustive *self = memory;
  if (self->bounded) account_add_reason(account, REASON_PREEMPTIONS);
}

/* --- the written form --- */

static void exhaustive_save(const void *memory, void *const *cookies, size_t n_cookies, struct text *state) {
  const struct exhaustive *self = memory;
  struct tree_node *nodes[WINDOW];
  for (size_t i = 0; i < n_cookies; i++) nodes[i] = ((const struct exhaustive_attempt *)cookies[i])->node;
  tree_write(self->tree, nodes, n_cookies, state);
  for (size_t i = 0; i < n_cookies; i++) {
    const struct exhaustive_attempt *attempt = cookies[i];
    written_add_number(state, attempt->step.thread);
    written_add_number(state, attempt->step.alternative);
  }
  written_add_number(state, self->events);
  written_add_double(state, self->done);
  written_add_number(state, self->started);
  written_add_number(state, self->bounded);
  notes_write(&self->notes, state);
}

static void *read_attempt(struct exhaustive *self, struct tree_node *node, struct written *state) {
  struct exhaustive_attempt *attempt = self->unused;
  self->unused = attempt->next;
  *attempt = (struct exhaustive_attempt){.node = node};
  attempt->step.thread = (thread_id)written_take_below(state, NO_THREAD + 1u);
  attempt->step.alternative = (uint16_t)written_take_below(state, UINT16_MAX + 1u);
  return attempt;
}

static bool exhaustive_load(void *memory, struct written *state, void **cookies, size_t n_cookies) {
  struct exhaustive *self = memory;
  struct tree_node *nodes[WINDOW];
  if (n_cookies > WINDOW || !tree_read(self->tree, state, self->max_steps, nodes, n_cookies)) return false;
  for (size_t i = 0; i < n_cookies; i++) cookies[i] = read_attempt(self, nodes[i], state);
  self->events = written_take_number(state);
  self->done = written_take_double(state);
  self->started = written_take_bool(state);
  self->bounded = written_take_bool(state);
  notes_read(&self->notes, state);
  return !state->failed;
}

static const char *const option_names[] = {"max-preemptions", "symmetry", NULL};

const struct strategy strategy_exhaustive = {
    .name = "exhaustive",
    .help = "every interleaving of visible operations, exactly once",
    .explores_inputs = true,
    .window = WINDOW,
    .default_max_runs = NO_LIMIT,
    .options = option_names,
    .settings_bytes = sizeof(struct bound_settings),
    .configure = bound_configure,
    .create = exhaustive_create,
    .destroy = exhaustive_destroy,
    .next = exhaustive_next,
    .absorb = exhaustive_absorb,
    .stats = exhaustive_stats,
    .part_done = exhaustive_part_done,
    .account = exhaustive_account,
    .save = exhaustive_save,
    .load = exhaustive_load,
};
