/* SPDX-License-Identifier: MIT
 *
 * The strategies `unfolding` and `contextual`: runs are made until every event of the unfolding of the program has been
 * seen. docs/algorithms/unfolding.md and contextual.md.
 */
#include "base/error.h"
#include "explore/strategy/strategy.h"
#include "explore/unfolding/absorb.h"
#include "explore/unfolding/deadlock.h"
#include "explore/unfolding/memo.h"
#include "explore/unfolding/naive.h"
#include "explore/unfolding/operation.h"
#include "explore/unfolding/select.h"
#include "trace/tables.h"

#include <stdlib.h>

#define WINDOW 8

struct unfolding_attempt {
  event_ids targets;
  event_ids expected; /* events of the run, as far as they are known */
  uint32_t generation;
  struct unfolding_attempt *next;
};

struct unfolding {
  struct net net;
  struct net_configuration configuration;
  struct pasts *pasts; /* in the configuration */
  struct layout layout;
  struct extensions *extensions;
  struct absorber *absorber;
  struct selection *selection;
  struct inputs *inputs;
  struct input_notes notes;
  struct deadlocks *deadlocks; /* NULL: they are not searched for */
  struct unfolding_attempt attempts[WINDOW];
  struct unfolding_attempt *unused;
  uint32_t generation; /* how often the net was made anew */
  uint32_t in_flight;
  uint32_t max_steps; /* of a run */
  struct deadline *deadline;
  uint64_t seed, runs, blocked_runs;
  enum policy policy;
  bool checks;
  bool keeps_memo;
  bool searches_deadlocks;
};

/* ---- options ---- */

struct unfolding_settings {
  struct order_settings order;
  bool no_deadlock_search; /* for deadlocks that no run has shown */
  bool check_extensions;   /* look for them naively too */
  bool keeps_memo;         /* the result will be asked for its net, with memo.h */
};

static bool unfolding_configure(void *own, const struct option_source *source, struct error *error) {
  struct unfolding_settings *settings = own;
  settings->no_deadlock_search = option_find(source, "no-deadlock-search")->given;
  settings->check_extensions = option_find(source, "check-extensions")->given;
  settings->keeps_memo = option_find(source, "unfolding")->given;
  return order_configure(&settings->order, source, error);
}

static const char *const option_names[] = {"order", "no-deadlock-search", "check-extensions", "unfolding", NULL};

/* ---- life ---- */

static bool is_feasible(void *selection, const struct net_configuration *configuration) {
  struct values *values = NULL;
  const bool can = selection_find_inputs(selection, configuration, &values);
  values_release(values);
  return can;
}

static void make_net(struct unfolding *self, bool is_contextual) {
  net_init(&self->net, is_contextual);
  if (self->keeps_memo) self->net.memo = memory_allocate(sizeof *self->net.memo);
  self->net.cancels = self->layout.cancels;
  self->net.deadline = self->deadline;
  configuration_init(&self->configuration, &self->net);
  self->pasts = pasts_create(&self->configuration);
  self->extensions = extensions_create(&self->configuration, self->pasts);
  self->absorber = absorber_create(&self->net, &self->layout, self->extensions, self->inputs, &self->notes);
  self->selection =
      selection_create(&self->configuration, self->pasts, self->max_steps, self->absorber, self->inputs, &self->notes);
  if (self->searches_deadlocks)
    self->deadlocks = deadlocks_create(&self->configuration, self->pasts, is_feasible, self->selection);
  self->generation++;
}

static void free_net(struct unfolding *self) {
  selection_destroy(self->selection);
  if (self->deadlocks) deadlocks_destroy(self->deadlocks);
  absorber_destroy(self->absorber);
  extensions_destroy(self->extensions);
  pasts_destroy(self->pasts);
  configuration_release(&self->configuration);
  net_free(&self->net);
}

static void put_back(struct unfolding *self, struct unfolding_attempt *attempt) {
  attempt->next = self->unused;
  self->unused = attempt;
}

static void *create(const struct strategy_settings *settings, bool is_contextual) {
  const struct unfolding_settings *own = settings->own;
  struct unfolding *self = memory_allocate(sizeof *self);
  self->inputs = settings->inputs;
  self->keeps_memo = own && own->keeps_memo;
  self->deadline = settings->deadline;
  self->max_steps = settings->max_events ? settings->max_events : UINT32_MAX;
  self->searches_deadlocks = !(own && own->no_deadlock_search);
  make_net(self, is_contextual);
  for (size_t i = 0; i < WINDOW; i++) put_back(self, &self->attempts[i]);
  self->seed = settings->seed;
  self->checks = own && own->check_extensions;
  self->policy = order_policy(own ? &own->order : NULL);
  return self;
}

static void *unfolding_create(const struct strategy_settings *settings) {
  return create(settings, false);
}

static void *contextual_create(const struct strategy_settings *settings) {
  return create(settings, true);
}

static void unfolding_destroy(void *memory) {
  struct unfolding *self = memory;
  free_net(self);
  layout_free(&self->layout);
  for (size_t i = 0; i < WINDOW; i++) {
    vector_free(&self->attempts[i].targets);
    vector_free(&self->attempts[i].expected);
  }
  free(self);
}

/* ---- yielding ---- */

static void append_steps(struct unfolding *self, const event_ids *list, struct schedule *prefix) {
  for (size_t i = 0; i < list->count; i++) {
    const struct net_event *event = &self->net.events.items[list->items[i]];
    if (!net_is_step(&self->net, event)) continue;
    *schedule_extend(prefix, 1) = (struct step){event->thread, (uint16_t)event->choice};
  }
}

/* The configuration becomes a possible deadlock. */
static bool take_deadlock(struct unfolding *self, struct values **values) {
  if (!self->deadlocks || !deadlocks_take(self->deadlocks)) return false;
  return selection_find_inputs(self->selection, &self->configuration, values);
}

/* Nothing waits any more: the unfolding is complete. */
static bool search_deadlocks(struct unfolding *self, struct values **values) {
  if (!self->deadlocks || self->in_flight > 0 || selection_left(self->selection) > 0 || self->runs == 0) return false;
  return deadlocks_search(self->deadlocks) && take_deadlock(self, values);
}

static bool unfolding_next(void *memory, struct target *target) {
  struct unfolding *self = memory;
  struct unfolding_attempt *attempt = self->unused;
  BUG_ON(!attempt);
  attempt->targets.count = attempt->expected.count = 0;
  attempt->generation = self->generation;
  struct values *values;
  const bool is_found = take_deadlock(self, &values) || selection_take(self->selection, &attempt->targets, &values) ||
                        search_deadlocks(self, &values);
  if (!is_found && self->runs > 0) return false;
  if (is_found) {
    if (attempt->targets.count > 0 && self->net.events.items[attempt->targets.items[0]].flags & NET_UNSURE)
      target->plan.flags |= PLAN_TRY_LAST;
    configuration_list(&self->configuration,
                       attempt->targets.count > 0 ? &attempt->targets : &self->configuration.trail, &attempt->expected);
    append_steps(self, &attempt->expected, &target->prefix);
    if (values) inputs_append_values(self->inputs, values, &target->inputs);
    values_release(values);
  }
  target->plan.flags |= PLAN_OWN_DECISIONS;
  self->unused = attempt->next;
  self->in_flight++;
  target->plan.policy = self->policy;
  target->plan.seed = self->seed + self->runs++;
  target->plan.runs = 1;
  if (self->keeps_memo) target->plan.flags |= PLAN_ACCESSES;
  target->cookie = attempt;
  return true;
}

/* ---- absorbing ---- */

/* Did something that a thread did end it? Then what others would have done is not known. */
static bool was_ended(const struct trace_view *trace) {
  const enum outcome_class class = outcome_row(trace->record->outcome)->class;
  if (outcome_is_at_rest(trace->record->outcome)) return false;
  return class == OUTCOME_BUG || class == OUTCOME_DISCARDED;
}

/* A target that the run did not come to. When something ended the run before, it gets a run of its own, with nothing in
 * it but what it follows; if that is ended too, there is no way to it. */
static void miss_target(struct unfolding *self, event_id id, const struct trace_view *trace) {
  struct net_event *event = &self->net.events.items[id];
  const bool is_ended = was_ended(trace);
  if (is_ended && !(event->flags & (NET_UNSURE | NET_RETRIED))) {
    event->flags |= NET_RETRIED;
    vector_push(extensions_found(self->extensions), id);
    return;
  }
  net_cut(&self->net, id);
  if (self->deadlocks && event->flags & NET_UNSURE && !is_ended) deadlocks_note_impossible(self->deadlocks, id);
  if (event->flags & NET_UNSURE || is_ended)
    self->blocked_runs++;
  else
    self->notes.lost = true;
}

static void end_target(struct unfolding *self, event_id id, const struct trace_view *trace) {
  self->net.events.items[id].flags &= (uint8_t)~NET_IN_FLIGHT;
  if (!event_is_executed(&self->net, id)) miss_target(self, id, trace);
}

static void end_targets(struct unfolding *self, const event_ids *targets, const struct trace_view *trace) {
  if (targets->count > 0) selection_end(self->selection, targets->items[0]);
  for (size_t i = 0; i < targets->count; i++) end_target(self, targets->items[i], trace);
}

/* A run shows its events; if it shows that the layout was wrong, the net is made anew. */
static void take_run(struct unfolding *self, const struct trace_view *trace, const struct path *path,
                     event_ids *expected) {
  if (absorb_run(self->absorber, trace, path, expected)) return;
  const bool is_contextual = self->net.is_contextual;
  free_net(self);
  make_net(self, is_contextual);
  expected->count = 0;
  const bool is_right = absorb_run(self->absorber, trace, path, expected);
  BUG_ON(!is_right);
}

/* What follows from the events that the run has added. */
static void look_at_events(struct unfolding *self, const struct trace_view *trace) {
  if (self->deadlocks)
    deadlocks_absorb(self->deadlocks, trace);
  else
    self->net.fresh.count = 0;
  selection_add(self->selection, extensions_found(self->extensions));
  extensions_found(self->extensions)->count = 0;
  selection_add_addresses(self->selection, absorber_addresses(self->absorber));
  absorber_addresses(self->absorber)->count = 0;
  if (self->checks) naive_check(&self->net);
}

static void unfolding_absorb(void *memory, void *cookie, const struct trace_view *trace, const struct path *path,
                             uint64_t runs) {
  struct unfolding *self = memory;
  struct unfolding_attempt *attempt = cookie;
  (void)runs;
  const bool is_lost = run_is_lost(self->inputs, trace, path);
  self->notes.lost |= is_lost;
  if (attempt->generation != self->generation) attempt->expected.count = 0;
  pasts_take_out(self->pasts); /* it may be an extension, and these change when they are executed */
  if (!is_lost && outcome_row(trace->record->outcome)->class != OUTCOME_INTERNAL)
    take_run(self, trace, path, &attempt->expected);
  if (self->deadline && self->deadline->is_over) return; /* what the run did not come to is not known */
  if (attempt->generation == self->generation) end_targets(self, &attempt->targets, trace);
  look_at_events(self, trace);
  self->in_flight--;
  put_back(self, attempt);
}

/* Nothing is expected of it. */
static bool unfolding_watch(void *memory, const struct trace_view *trace) {
  struct unfolding *self = memory;
  event_ids nothing = {0};
  const uint64_t n_known = self->net.n_steps;
  const uint32_t generation = self->generation;
  pasts_take_out(self->pasts);
  take_run(self, trace, NULL, &nothing);
  if (!(self->deadline && self->deadline->is_over)) look_at_events(self, trace);
  return self->net.n_steps > n_known || self->generation > generation;
}

static void unfolding_stats(const void *memory, struct strategy_stats *stats) {
  const struct unfolding *self = memory;
  const bool has_begun = self->net.events.count > 1;
  const bool searches = self->deadlocks && deadlocks_has_work(self->deadlocks);
  *stats = (struct strategy_stats){.events = self->net.n_steps,
                                   .blocked_runs = self->blocked_runs,
                                   .left = has_begun ? selection_left(self->selection) + searches : 1};
  notes_tell(&self->notes, stats);
  stats->bounded = selection_is_bounded(self->selection);
}

static void unfolding_account(const void *memory, struct account *account) {
  const struct unfolding *self = memory;
  account_add_count(account, "thread_events", self->net.n_start_up);
  account_add_count(account, "structure_bytes",
                    net_size_bytes(&self->net) + configuration_size_bytes(&self->configuration));
  if (self->deadlocks) account_add_seconds(account, "deadlock_seconds", deadlocks_seconds(self->deadlocks));
  if (self->layout.has_gaps) account_add_reason(account, REASON_NOT_UNFOLDED);
  if (selection_is_bounded(self->selection)) account_add_reason(account, REASON_CUT_SHORT);
  if (self->deadlocks && deadlocks_is_bounded(self->deadlocks)) account_add_reason(account, REASON_DEADLOCKS);
}

static const struct net *unfolding_net(const void *memory) {
  const struct unfolding *self = memory;
  return &self->net;
}

const struct strategy strategy_unfolding = {
    .name = "unfolding",
    .spins = true,
    .help = "every local state of every thread and every deadlock, from the unfolding of the program",
    .explores_inputs = true,
    .window = WINDOW,
    .default_max_runs = NO_LIMIT,
    .implied_by = "unfolding",
    .options = option_names,
    .settings_bytes = sizeof(struct unfolding_settings),
    .configure = unfolding_configure,
    .create = unfolding_create,
    .destroy = unfolding_destroy,
    .next = unfolding_next,
    .absorb = unfolding_absorb,
    .watch = unfolding_watch,
    .stats = unfolding_stats,
    .account = unfolding_account,
    .net = unfolding_net,
};

const struct strategy strategy_contextual = {
    .name = "contextual",
    .spins = true,
    .help = "the same from the contextual unfolding, which is smaller where threads read",
    .explores_inputs = true,
    .window = WINDOW,
    .default_max_runs = NO_LIMIT,
    .options = option_names,
    .settings_bytes = sizeof(struct unfolding_settings),
    .configure = unfolding_configure,
    .create = contextual_create,
    .destroy = unfolding_destroy,
    .next = unfolding_next,
    .absorb = unfolding_absorb,
    .watch = unfolding_watch,
    .stats = unfolding_stats,
    .account = unfolding_account,
    .net = unfolding_net,
};
