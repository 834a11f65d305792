/* SPDX-License-Identifier: MIT
 *
 * Whether contextual is worth its time. First it has a few runs of its own: where threads are mostly independent, or
 * read, it ends within them. Then it is shown the next runs of optimal, each of which is a class of its own. If few of
 * them show it anything new, an unfolding needs far fewer runs than there are classes, and contextual leads: it gets
 * most of the runs from then on. Otherwise it is given up.
 *
 * It shows what each thread can do, and deadlocks, but not all that threads can observe together.
 */
#include "explore/auto/auto.h"

#define TRIAL_RUNS 64u
#define FEW_OF 4u /* a fourth of the runs is few */

static const struct part *contextual(const struct auto_search *self) {
  return &self->parts[PART_CONTEXTUAL];
}

/* An unfolding does not know that threads which are the same keep to an order. */
static bool is_worth_it(const struct auto_search *self) {
  const struct strategy_settings *settings = &self->settings;
  return self->has_threads && !auto_has_inputs(self) && !self->observes && !settings->races_are_bugs &&
         !settings->joins_twins;
}

bool trial_is_due(const struct auto_search *self) {
  return !contextual(self)->has_ended && !contextual(self)->self && is_worth_it(self);
}

bool trial_leads(const struct auto_search *self) {
  return self->trial.leads && is_worth_it(self);
}

uint64_t trial_runs(const struct auto_search *self) {
  const struct auto_settings *own = self->settings.own;
  return own && own->trial_runs > 0 ? own->trial_runs : TRIAL_RUNS;
}

void trial_forget(struct auto_search *self) {
  self->trial.n_given = self->trial.n_seen = self->trial.n_new = 0;
  self->trial.leads = false;
}

/* ---- watching ---- */

uint64_t trial_most_watched(const struct auto_search *self) {
  const struct auto_settings *own = self->settings.own;
  return own && own->watched > 0 ? own->watched : MOST_WATCHED;
}

bool trial_is_watching(const struct auto_search *self) {
  return self->at_work == PART_OPTIMAL && contextual(self)->self && !self->trial.leads;
}

void trial_choose_target(struct auto_search *self, struct target *target) {
  const bool is_full = self->trial.n_given == trial_most_watched(self);
  if (!trial_is_watching(self) || is_full || target->is_probe) return;
  struct watched_run *run = &self->trial.runs[self->trial.n_given++];
  *run = (struct watched_run){target->cookie, target->plan.record_from};
  target->cookie = run;
  target->plan.record_from = 0;
}

static const struct watched_run *find_watched(const struct auto_search *self, const void *cookie) {
  const struct watched_run *runs = self->trial.runs, *run = cookie;
  return run >= runs && run < runs + MOST_WATCHED ? run : NULL;
}

void *trial_own_cookie(const struct auto_search *self, void *cookie) {
  const struct watched_run *run = find_watched(self, cookie);
  return run ? run->cookie : cookie;
}

/* Steps of an earlier time, when less was known to be shared, carry accesses that an unfolding would have as events. */
static bool can_be_seen(const struct trace *record) {
  return record->outcome == OUTCOME_FINISHED && !(record->flags & TRACE_CARRIES);
}

void trial_show_run(struct auto_search *self, void *cookie, struct trace_view *trace, struct trace *record) {
  const struct watched_run *run = find_watched(self, cookie);
  const struct part *part = contextual(self);
  if (!run) return;
  if (part->self && can_be_seen(trace->record)) {
    self->trial.n_seen++;
    self->trial.n_new += part->strategy->watch(part->self, trace);
  }
  *record = *trace->record;
  if (!(record->flags & TRACE_CARRIES)) trace_leave_out_before(trace, record, run->record_from);
}

bool trial_is_promising(struct auto_search *self) {
  struct trial *trial = &self->trial;
  trial->leads = 2 * trial->n_seen >= trial->n_given && FEW_OF * trial->n_new <= trial->n_seen;
  return trial->leads;
}
