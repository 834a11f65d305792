/* SPDX-License-Identifier: MIT
 *
 * The search that needs no advice. It begins with `optimal`: a small program is explored to its end, as that strategy
 * would, run for run. What does not end within a slice, and is not estimated to end soon, gets its time shared:
 *
 *     optimal     half of the runs: a proof, if it ends
 *     contextual  a few runs, once: where threads are mostly independent, or read, they are enough for the same proof;
 *                 if they show that it needs far fewer runs than optimal, it leads and gets most of them (trial.c)
 *     pct         a sixth: deep bugs that need few changes of priority
 *     random      a sixth: bugs that need many
 *     bounded     a sixth, with at most 0 preemptions, then 1, then 2, ...: small bounds end, and show most bugs
 *
 * The last three are what generates inputs, if the program has some: pct and random those of other paths. The parts
 * take turns; a turn is a number of runs, fewer where runs are longer. Nothing depends on the clock, so the same seed
 * explores the same. Only one part has runs under way at a time.
 *
 * When more memory turns out to be shared, `optimal` keeps what it has explored, and pct and random go on. Contextual
 * begins again, and so does the present bound on preemptions; those that are done stay done: what is shared now was no
 * conflict in any of their runs, so that a switch right before it shows nothing that one after it does not.
 *
 * The search is over when one part has seen everything: `optimal` or `contextual` has ended, or a bound on preemptions
 * left nothing out. Where `optimal` ends but could not follow everything, pct and random have one more turn.
 */
#include "explore/auto/auto.h"

#include "trace/tables.h"

#include <stdlib.h>

#define WINDOW 256
#define SLICE_STEPS 60000u /* steps of a slice, as far as is known before it, */
#define RUN_STEPS 10u      /* if a run costs as much as so many besides its own */
#define LEAST_SLICE 60u
#define OTHERS 3u            /* parts with a share of their own, which is a third of optimal's */
#define BEFORE_TRIAL 4u      /* a part of a slice */
#define LEADING 3u           /* slices of a turn of contextual, if it leads */
#define NEAR_END 0.05        /* of optimal: the estimated part that is done */
#define MOST_ALONE 10        /* times the runs of the others that optimal may make before they have turns again */
#define MOST_EVENTS 3000000u /* that a part may keep, of some 150 bytes each, before it has no more turns */

static struct part *part_at_work(struct auto_search *self) {
  return &self->parts[self->at_work];
}

static const void *own_settings(const struct auto_search *self, enum part_name name) {
  const struct auto_settings *own = self->settings.own;
  if (name == PART_BOUNDED) return &self->bound;
  if (name == PART_OPTIMAL && own) return &own->order;
  if (name == PART_PCT && own) return &own->pct;
  return NULL;
}

void auto_begin_part(struct auto_search *self, enum part_name name) {
  struct strategy_settings settings = self->settings;
  settings.own = own_settings(self, name);
  self->parts[name].self = self->parts[name].strategy->create(&settings);
}

static void end_part(struct part *part) {
  if (part->self) part->strategy->destroy(part->self);
  part->self = NULL;
}

static uint64_t choose_slice(const struct strategy_settings *settings) {
  const struct auto_settings *own = settings->own;
  const uint64_t runs = SLICE_STEPS / (RUN_STEPS + (uint64_t)settings->expected_steps);
  if (own && own->slice > 0) return own->slice;
  return runs > LEAST_SLICE ? runs : LEAST_SLICE;
}

static void *auto_create(const struct strategy_settings *settings) {
  static const struct strategy *const strategies[PARTS] = {[PART_OPTIMAL] = &strategy_optimal,
                                                           [PART_CONTEXTUAL] = &strategy_contextual,
                                                           [PART_PCT] = &strategy_pct,
                                                           [PART_RANDOM] = &strategy_random,
                                                           [PART_BOUNDED] = &strategy_bounded};
  struct auto_search *self = memory_allocate(sizeof *self);
  self->settings = *settings;
  for (unsigned i = 0; i < PARTS; i++) self->parts[i].strategy = strategies[i];
  self->slice = choose_slice(settings);
  auto_begin_part(self, PART_OPTIMAL);
  return self;
}

static void auto_destroy(void *memory) {
  struct auto_search *self = memory;
  for (unsigned i = 0; i < PARTS; i++) end_part(&self->parts[i]);
  vector_free(&self->runs_of_bounds);
  free(self);
}

/* --- taking turns --- */

bool auto_has_inputs(const struct auto_search *self) {
  return self->settings.inputs && inputs_count(self->settings.inputs) > 0;
}

static uint64_t runs_before_trial(const struct auto_search *self) {
  const uint64_t runs = self->slice / BEFORE_TRIAL;
  return runs > 0 ? runs : 1;
}

static uint64_t runs_of_turn(const struct auto_search *self) {
  switch (self->at_work) {
  case PART_OPTIMAL:
    if (trial_is_due(self)) return runs_before_trial(self);
    return trial_is_watching(self) ? trial_most_watched(self) : self->slice;
  case PART_CONTEXTUAL: return self->trial.leads ? LEADING * self->slice : trial_runs(self);
  default: return self->slice / OTHERS;
  }
}

static uint64_t runs_left_of_turn(const struct auto_search *self) {
  const uint64_t turn = runs_of_turn(self), taken = self->turn_runs + self->in_flight;
  return taken < turn ? turn - taken : 0;
}

/* With one thread there are no preemptions to be bounded. */
static bool takes_turns(const struct auto_search *self, enum part_name name) {
  if (self->parts[name].has_ended) return false;
  switch (name) {
  case PART_CONTEXTUAL: return trial_leads(self);
  case PART_BOUNDED: return !self->parts[PART_OPTIMAL].has_ended && self->has_threads;
  default: return true;
  }
}

static uint64_t runs_of_others(const struct auto_search *self) {
  uint64_t runs = 0;
  for (unsigned name = PART_OPTIMAL + 1; name < PARTS; name++) runs += self->parts[name].runs;
  return runs > self->slice ? runs : self->slice;
}

/* Is optimal estimated to end soon? As estimates can be wrong, the others have a part of all runs in any case. */
static bool is_near_end(const struct auto_search *self) {
  const struct part *part = &self->parts[PART_OPTIMAL];
  if (part->has_ended || auto_has_inputs(self) || trial_leads(self)) return false;
  if (part->runs > MOST_ALONE * runs_of_others(self)) return false;
  return strategy_part_done(part->strategy, part->self) >= NEAR_END;
}

/* The part whose turn is next. */
static enum part_name next_part(const struct auto_search *self) {
  enum part_name name = self->at_work;
  if (name == PART_CONTEXTUAL && !self->trial.leads) return PART_OPTIMAL;
  if (name == PART_OPTIMAL && trial_is_due(self)) return PART_CONTEXTUAL;
  if (name == PART_OPTIMAL && is_near_end(self)) return PART_OPTIMAL;
  do name = (name + 1) % PARTS;
  while (name != PART_OPTIMAL && !takes_turns(self, name));
  return name;
}

/* Once optimal has ended, the others have had their last turn when it would be its own. */
static void turn_to_next(struct auto_search *self) {
  self->at_work = next_part(self);
  self->turn_runs = 0;
  self->is_over = part_at_work(self)->has_ended;
  if (!part_at_work(self)->self) auto_begin_part(self, self->at_work);
}

/* What `bounded` and `contextual` keep grows with their runs: the others shall have memory, too. */
static bool keeps_too_much(const struct auto_search *self, const struct part *part) {
  struct strategy_stats stats = {0};
  if (self->at_work != PART_BOUNDED && self->at_work != PART_CONTEXTUAL) return false;
  part->strategy->stats(part->self, &stats);
  return stats.events > MOST_EVENTS;
}

static void give_up(struct auto_search *self, enum part_name name) {
  end_part(&self->parts[name]);
  self->parts[name].has_ended = true;
  if (name == PART_CONTEXTUAL) trial_forget(self);
}

/* Contextual has seen enough of optimal's runs. If they tell it much, optimal goes on alone. */
static void end_watching(struct auto_search *self) {
  self->turn_runs = 0;
  if (trial_is_promising(self))
    turn_to_next(self);
  else
    give_up(self, PART_CONTEXTUAL);
}

static void end_turn(struct auto_search *self) {
  if (trial_is_watching(self)) {
    end_watching(self);
    return;
  }
  if (keeps_too_much(self, part_at_work(self))) give_up(self, self->at_work);
  turn_to_next(self);
}

/* --- the end of a part --- */

static void add_sums(struct strategy_stats *sum, const struct strategy_stats *stats) {
  sum->blocked_runs += stats->blocked_runs;
  sum->divergences += stats->divergences;
  sum->stale |= stats->stale;
  if (!sum->defect) sum->defect = stats->defect;
}

/* What was explored stays explored. */
static void begin_next_bound(struct auto_search *self) {
  struct part *part = &self->parts[PART_BOUNDED];
  if (!part->was_cut && self->whole_bounds == self->runs_of_bounds.count) self->whole_bounds++;
  vector_push(&self->runs_of_bounds, part->runs - self->bound_began_at);
  self->bound_began_at = part->runs;
  bounded_raise(part->self, ++self->bound.max_preemptions);
}

static bool gives_reasons(const struct part *part) {
  struct account account = {0};
  if (part->strategy->account) part->strategy->account(part->self, &account);
  const bool gives = account.reasons.count > 0;
  account_free(&account);
  return gives;
}

/* Was something left out that others might see? */
static bool has_gaps(const struct part *part, const struct strategy_stats *stats) {
  return part->was_cut || stats->bounded || stats->unsolved || stats->made_concrete || stats->addresses_left ||
         stats->hidden || stats->lost || stats->defect || stats->divergences > 0 || gives_reasons(part);
}

static void retire(struct auto_search *self, struct part *part, const struct strategy_stats *stats) {
  part->has_ended = true;
  if (self->at_work != PART_OPTIMAL) { /* what it has left out is no gap of the others */
    self->gone.blocked_runs += stats->blocked_runs;
    give_up(self, self->at_work);
  }
  turn_to_next(self);
}

static uint64_t runs_of_bound(const struct auto_search *self) {
  return self->parts[PART_BOUNDED].runs - self->bound_began_at;
}

static void begin_bound_again(struct auto_search *self) {
  struct part *part = &self->parts[PART_BOUNDED];
  self->bound_began_at = part->runs;
  end_part(part);
  auto_begin_part(self, PART_BOUNDED);
}

/* Its runs stay what they were: they promised nothing. */
static void begin_trial_again(struct auto_search *self) {
  end_part(&self->parts[PART_CONTEXTUAL]);
  trial_forget(self);
}

static void begin_again(struct auto_search *self) {
  self->is_draining = false;
  if (self->at_work == PART_BOUNDED) {
    begin_bound_again(self);
    return;
  }
  begin_trial_again(self);
  turn_to_next(self);
}

/* The part at work has nothing to run, and nothing is under way. False: it has to be asked again. */
static bool note_end_of_part(struct auto_search *self) {
  struct part *part = part_at_work(self);
  struct strategy_stats stats = {0};
  part->strategy->stats(part->self, &stats);
  if (stats.left > 0) return false;
  if (self->at_work == PART_BOUNDED && stats.bounded)
    begin_next_bound(self);
  else if (has_gaps(part, &stats) || (self->at_work == PART_CONTEXTUAL && self->observes))
    retire(self, part, &stats);
  else
    self->is_over = true;
  return true;
}

static bool auto_next(void *memory, struct target *target) {
  struct auto_search *self = memory;
  if (self->is_draining && self->n_targets > 0) return false;
  if (self->is_draining) begin_again(self);
  while (!self->is_over) {
    const uint64_t left = runs_left_of_turn(self);
    struct part *part = part_at_work(self);
    if (left > 0 && self->n_targets < part->strategy->window && part->strategy->next(part->self, target)) {
      if (self->at_work == PART_OPTIMAL) trial_choose_target(self, target);
      if (target->plan.runs > left) target->plan.runs = (uint32_t)left;
      self->in_flight += target->plan.runs;
      part->runs -= target->is_probe; /* it will be absorbed, and does not count */
      self->n_targets++;
      return true;
    }
    if (self->n_targets > 0) return false;
    if (left == 0)
      end_turn(self);
    else if (!note_end_of_part(self))
      return false;
  }
  return false;
}

/* --- what was run --- */

static bool was_cut(const struct trace *record) {
  return outcome_row(record->outcome)->class == OUTCOME_BOUND ||
         record->flags & (TRACE_LEFT_OUT | TRACE_CUT | TRACE_TABLE_FULL | TRACE_HELD_BACK | TRACE_TERMS_FULL);
}

static void absorb_run(struct auto_search *self, void *cookie, const struct trace_view *trace, const struct path *path,
                       uint64_t runs) {
  const struct part *part = part_at_work(self);
  struct trace_view view = *trace;
  struct trace record;
  if (self->at_work == PART_OPTIMAL) trial_show_run(self, cookie, &view, &record);
  part->strategy->absorb(part->self, trial_own_cookie(self, cookie), &view, path, runs);
}

/* When a run is not quiet, the conditional plans after it are not made: those of a part that samples. */
static void auto_absorb(void *memory, void *cookie, const struct trace_view *trace, const struct path *path,
                        uint64_t runs) {
  struct auto_search *self = memory;
  struct part *part = part_at_work(self);
  const bool samples = self->at_work == PART_PCT || self->at_work == PART_RANDOM;
  const bool skips_others = samples && !trace_is_quiet(trace->record);
  if (!self->is_draining) absorb_run(self, cookie, trace, path, runs);
  part->runs += runs;
  part->was_cut |= was_cut(trace->record);
  self->has_threads |= trace->record->n_threads > 1;
  self->observes |= trace->record->adds.n_observed > 0;
  self->turn_runs += runs;
  self->n_targets = skips_others ? 0 : self->n_targets - 1;
  self->in_flight = self->n_targets == 0 ? 0 : self->in_flight - runs;
}

/* --- when more turns out to be shared --- */

static void void_bound(struct auto_search *self, uint64_t *n_void) {
  if (!self->parts[PART_BOUNDED].self || self->is_draining) return;
  *n_void = runs_of_bound(self);
  self->is_draining = self->at_work == PART_BOUNDED;
  self->bound_began_at = self->parts[PART_BOUNDED].runs;
  if (!self->is_draining) begin_bound_again(self);
}

static void void_trial(struct auto_search *self) {
  if (!self->parts[PART_CONTEXTUAL].self) return;
  if (self->at_work == PART_CONTEXTUAL)
    self->is_draining = true;
  else
    begin_trial_again(self);
}

static enum keeping auto_keep(void *memory, void *cookie, uint64_t version, uint64_t *n_void) {
  struct auto_search *self = memory;
  const struct part *optimal = &self->parts[PART_OPTIMAL];
  void *const own = self->at_work == PART_OPTIMAL ? trial_own_cookie(self, cookie) : NULL;
  if (optimal->strategy->keep(optimal->self, own, version, n_void) == KEEPS_NOTHING) return KEEPS_NOTHING;
  void_bound(self, n_void);
  void_trial(self);
  if (self->at_work == PART_PCT || self->at_work == PART_RANDOM) return KEEPS_ALL;
  self->n_targets--;
  self->in_flight--;
  return KEEPS_BUT_THIS;
}

/* --- what it has to say --- */

/* Of the part that has seen everything; as long as none has, of the one that would prove the most. */
static const struct part *part_that_counts(const struct auto_search *self) {
  return &self->parts[self->is_over ? self->at_work : PART_OPTIMAL];
}

static void auto_stats(const void *memory, struct strategy_stats *stats) {
  const struct auto_search *self = memory;
  const struct part *counting = part_that_counts(self);
  counting->strategy->stats(counting->self, stats);
  add_sums(stats, &self->gone);
  for (unsigned i = 0; i < PARTS; i++) {
    struct strategy_stats other = {0};
    const struct part *part = &self->parts[i];
    if (part == counting || !part->self) continue;
    part->strategy->stats(part->self, &other);
    add_sums(stats, &other);
  }
  if (!self->is_over && stats->left == 0) stats->left = 1;
}

static double part_done(const struct auto_search *self, enum part_name name) {
  return strategy_part_done(self->parts[name].strategy, self->parts[name].self);
}

/* What was cut short may be as large as you like. */
static double part_of_bound(const struct auto_search *self) {
  return self->parts[PART_BOUNDED].was_cut ? 0 : part_done(self, PART_BOUNDED);
}

static double auto_part_done(const void *memory) {
  const struct auto_search *self = memory;
  return self->is_over ? 1 : part_done(self, PART_OPTIMAL);
}

static void auto_account(const void *memory, struct account *account) {
  const struct auto_search *self = memory;
  const struct part *counting = part_that_counts(self);
  if (counting->strategy->account) counting->strategy->account(counting->self, account);
  account_add_count(account, "optimal_runs", self->parts[PART_OPTIMAL].runs);
  account_add_count(account, "contextual_runs", self->parts[PART_CONTEXTUAL].runs);
  account_add_count(account, "pct_runs", self->parts[PART_PCT].runs);
  account_add_count(account, "random_runs", self->parts[PART_RANDOM].runs);
  account_add_counts(account, "runs_by_preemptions", self->runs_of_bounds.items, self->runs_of_bounds.count);
  account_add_count(account, "whole_bounds", self->whole_bounds);
  account_add_count(account, "runs_of_last_bound", runs_of_bound(self));
  account_add_count(account, "last_bound_millionths", (uint64_t)(1e6 * part_of_bound(self)));
  account_add_count(account, "optimal_millionths", (uint64_t)(1e6 * part_done(self, PART_OPTIMAL)));
}

static const char *auto_part(const void *memory) {
  const struct auto_search *self = memory;
  return self->parts[self->at_work].strategy->name;
}

/* --- options --- */

static bool auto_configure(void *own, const struct option_source *source, struct error *error) {
  struct auto_settings *settings = own;
  return order_configure(&settings->order, source, error) && pct_configure(&settings->pct, source, error);
}

static const char *const option_names[] = {"order", "depth", "symmetry", NULL};

const struct strategy strategy_auto_search = {
    .name = "auto",
    .help = "optimal to its end if that is near; else in turn with pct, random, and bounds on preemptions",
    .window = WINDOW,
    .default_max_runs = NO_LIMIT,
    .explores_inputs = true,
    .options = option_names,
    .settings_bytes = sizeof(struct auto_settings),
    .with_bound = &strategy_bounded,
    .configure = auto_configure,
    .create = auto_create,
    .destroy = auto_destroy,
    .next = auto_next,
    .absorb = auto_absorb,
    .keep = auto_keep,
    .stats = auto_stats,
    .part_done = auto_part_done,
    .account = auto_account,
    .part = auto_part,
    .can_save = auto_can_save,
    .save = auto_save,
    .load = auto_load,
};
