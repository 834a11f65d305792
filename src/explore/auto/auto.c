/* SPDX-License-Identifier: MIT
 *
 * The search that needs no advice. It begins with `optimal`: a small program is explored to its end, as that strategy
 * would, run for run. What is larger than FIRST_SLICE runs gets its time shared:
 *
 *     optimal    half of the runs: a proof, if it ends
 *     exhaustive a quarter, with at most 0 preemptions, then 1, then 2, ...: small bounds end, and show most bugs
 *     pct        a quarter: deep bugs that need few changes of priority
 *
 * The parts take turns; a turn is a number of runs, which doubles from round to round. Nothing depends on the clock, so
 * the same seed explores the same. Only one part has runs under way at a time.
 *
 * The search is over when one part has seen everything: `optimal` has ended, or a bound on preemptions left nothing
 * out.
 */
#include "explore/exhaustive/exhaustive.h"
#include "explore/strategy/strategy.h"
#include "trace/trace.h"

#include <stdlib.h>

#define WINDOW 256
#define FIRST_SLICE 10000u

enum part_name { PART_OPTIMAL, PART_BOUNDED, PART_PCT, PARTS };

struct part {
  const struct strategy *strategy;
  void *self;         /* NULL: its first turn is yet to come */
  uint64_t runs;      /* made, with all bounds */
  unsigned turns_per; /* its turn is the slice divided by this */
};

struct auto_search {
  struct strategy_settings settings;
  struct part parts[PARTS];
  enum part_name at_work;
  uint64_t slice;     /* runs of a turn, before it is divided */
  uint64_t turn_runs; /* made in this turn */
  uint64_t in_flight; /* runs under way */
  unsigned n_targets; /* targets under way */
  bool is_over;       /* the part at work has seen everything */
  struct exhaustive_settings bound;
  uint64_t bound_began_at;         /* runs of PART_BOUNDED before this bound */
  VECTOR(uint64_t) runs_of_bounds; /* those that are done, from 0 preemptions on */
  struct strategy_stats gone;      /* of the bounds that are done: their sums */
};

static struct part *part_at_work(struct auto_search *self) {
  return &self->parts[self->at_work];
}

static void begin_part(struct auto_search *self, struct part *part) {
  struct strategy_settings settings = self->settings;
  settings.own = part == &self->parts[PART_BOUNDED] ? &self->bound : NULL;
  part->self = part->strategy->create(&settings);
}

static void end_part(struct part *part) {
  if (part->self) part->strategy->destroy(part->self);
  part->self = NULL;
}

static void *auto_create(const struct strategy_settings *settings) {
  struct auto_search *self = memory_allocate(sizeof *self);
  self->settings = *settings;
  self->parts[PART_OPTIMAL] = (struct part){.strategy = &strategy_optimal, .turns_per = 1};
  self->parts[PART_BOUNDED] = (struct part){.strategy = &strategy_exhaustive, .turns_per = 2};
  self->parts[PART_PCT] = (struct part){.strategy = &strategy_pct, .turns_per = 2};
  self->slice = FIRST_SLICE;
  begin_part(self, &self->parts[PART_OPTIMAL]);
  return self;
}

static void auto_destroy(void *memory) {
  struct auto_search *self = memory;
  for (unsigned i = 0; i < PARTS; i++) end_part(&self->parts[i]);
  vector_free(&self->runs_of_bounds);
  free(self);
}

/* --- taking turns --- */

static uint64_t runs_left_of_turn(const struct auto_search *self) {
  const uint64_t turn = self->slice / self->parts[self->at_work].turns_per;
  const uint64_t taken = self->turn_runs + self->in_flight;
  return taken < turn ? turn - taken : 0;
}

static void turn_to_next(struct auto_search *self) {
  self->at_work = (self->at_work + 1) % PARTS;
  if (self->at_work == PART_OPTIMAL) self->slice *= 2;
  self->turn_runs = 0;
  if (!part_at_work(self)->self) begin_part(self, part_at_work(self));
}

static void add_sums(struct strategy_stats *sum, const struct strategy_stats *stats) {
  sum->blocked_runs += stats->blocked_runs;
  sum->divergences += stats->divergences;
  if (!sum->defect) sum->defect = stats->defect;
}

static void begin_next_bound(struct auto_search *self, const struct strategy_stats *stats) {
  struct part *part = &self->parts[PART_BOUNDED];
  add_sums(&self->gone, stats);
  vector_push(&self->runs_of_bounds, part->runs - self->bound_began_at);
  self->bound_began_at = part->runs;
  self->bound.max_preemptions++;
  end_part(part);
  begin_part(self, part);
}

/* The part at work has nothing to run, and nothing is under way. False: it has to be asked again. */
static bool note_end_of_part(struct auto_search *self) {
  struct part *part = part_at_work(self);
  struct strategy_stats stats = {0};
  part->strategy->stats(part->self, &stats);
  if (stats.left > 0) return false;
  if (self->at_work == PART_BOUNDED && stats.bounded)
    begin_next_bound(self, &stats);
  else
    self->is_over = true;
  return true;
}

static bool auto_next(void *memory, struct target *target) {
  struct auto_search *self = memory;
  while (!self->is_over) {
    const uint64_t left = runs_left_of_turn(self);
    const struct part *part = part_at_work(self);
    if (left > 0 && self->n_targets < part->strategy->window && part->strategy->next(part->self, target)) {
      if (target->plan.runs > left) target->plan.runs = (uint32_t)left;
      self->in_flight += target->plan.runs;
      self->n_targets++;
      return true;
    }
    if (self->n_targets > 0) return false;
    if (left == 0)
      turn_to_next(self);
    else if (!note_end_of_part(self))
      return false;
  }
  return false;
}

/* When a run is not quiet, the conditional plans after it are not made: those of a part that samples. */
static void auto_absorb(void *memory, void *cookie, const struct trace_view *trace, const struct path *path,
                        uint64_t runs) {
  struct auto_search *self = memory;
  struct part *part = part_at_work(self);
  const bool skips_others = self->at_work == PART_PCT && !trace_is_quiet(trace->record);
  part->strategy->absorb(part->self, cookie, trace, path, runs);
  part->runs += runs;
  self->turn_runs += runs;
  self->n_targets = skips_others ? 0 : self->n_targets - 1;
  self->in_flight = self->n_targets == 0 ? 0 : self->in_flight - runs;
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

static double part_done_of_bound(const struct auto_search *self) {
  const struct part *part = &self->parts[PART_BOUNDED];
  struct strategy_stats stats = {0};
  if (part->self) part->strategy->stats(part->self, &stats);
  return stats.done;
}

static void auto_account(const void *memory, struct account *account) {
  const struct auto_search *self = memory;
  const struct part *counting = part_that_counts(self);
  if (counting->strategy->account) counting->strategy->account(counting->self, account);
  account_add_count(account, "optimal_runs", self->parts[PART_OPTIMAL].runs);
  account_add_count(account, "sampled_runs", self->parts[PART_PCT].runs);
  account_add_counts(account, "runs_by_preemptions", self->runs_of_bounds.items, self->runs_of_bounds.count);
  account_add_count(account, "runs_of_last_bound", self->parts[PART_BOUNDED].runs - self->bound_began_at);
  account_add_count(account, "last_bound_millionths", (uint64_t)(1e6 * part_done_of_bound(self)));
}

static const char *auto_part(const void *memory) {
  const struct auto_search *self = memory;
  return self->parts[self->at_work].strategy->name;
}

const struct strategy strategy_auto_search = {
    .name = "auto",
    .help = "optimal to its end if that is near; else in turn with bounds on preemptions, and pct",
    .window = WINDOW,
    .default_max_runs = NO_LIMIT,
    .explores_inputs = true,
    .uses_symmetry = true,
    .options = symmetry_options,
    .create = auto_create,
    .destroy = auto_destroy,
    .next = auto_next,
    .absorb = auto_absorb,
    .stats = auto_stats,
    .account = auto_account,
    .part = auto_part,
};
