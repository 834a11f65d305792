/* SPDX-License-Identifier: MIT
 *
 * The loop. Two phases use it: learning (single random runs, so that most of what is shared is known before the
 * exploration starts) and exploring (the strategy's targets). When a run finds more to be shared, the tree explored so
 * far is about another program: its runs count as learning, and the strategy starts again.
 *
 * Everything that is counted follows from the traces in their order, never from the clock, so that the same seed gives
 * the same result. Therefore runs that are under way when a bug is found are still awaited and counted.
 */
#include "explore/internal.h"

#include "explore/knowledge.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <sys/resource.h>

#define LEARNING_RUNS 20
#define MOST_LEARNING_RUNS 200
#define RECEIVE_MILLISECONDS 50

static void repeat(struct exploration *self, const struct reply *reply) {
  self->repeated_ticket = reply->plan->ticket + 1;
  self->repeated_as_diverged = exploration_has_diverged(reply);
  self->summary.divergences += self->repeated_as_diverged;
  executor_repeat(self->executor);
}

static bool receive(struct exploration *self, struct reply *reply, bool *received, struct error *error) {
  const enum reception reception = executor_receive(self->executor, RECEIVE_MILLISECONDS, reply, error);
  *received = reception == RECEPTION_REPLY;
  if (*received && reply->damaged) exploration_restore_knowledge(self);
  if (*received && exploration_deserves_repetition(self, reply)) {
    repeat(self, reply);
    *received = false;
  }
  if (!*received || self->replies_until_clock-- == 0) exploration_look_at_clock(self);
  return reception != RECEPTION_FAILED;
}

/* --- learning --- */

/* One random run; *grew says whether it showed something new to be shared. */
static bool learning_run(struct exploration *self, uint64_t seed, bool *grew, struct error *error) {
  const struct plan plan = {.flags = PLAN_PUBLISH_ALL, .seed = seed, .runs = 1, .policy = POLICY_RANDOM};
  exploration_remember_knowledge(self);
  executor_submit(self->executor, &plan, NULL, 0, NULL, 0);
  while (executor_in_flight(self->executor) > 0 && !self->hurry) {
    struct reply reply;
    bool received;
    if (!receive(self, &reply, &received, error)) return false;
    if (!received) continue;
    *grew = exploration_has_learned(self, &reply);
    if (*grew) self->estimate = (struct estimate){0};
    if (!*grew) estimate_add_run(&self->estimate, &reply.trace);
    if (reply.trace.record->n_steps > self->expected_steps) self->expected_steps = reply.trace.record->n_steps;
    self->summary.learning_runs++;
    exploration_judge(self, &reply);
  }
  return true;
}

static bool learn(struct exploration *self, struct error *error) {
  self->summary.learning = true;
  uint64_t quiet = 0;
  for (uint64_t i = 0; quiet < LEARNING_RUNS && i < MOST_LEARNING_RUNS && !self->stop; i++) {
    bool grew = false;
    if (!learning_run(self, self->settings->seed + i, &grew, error)) return false;
    quiet = grew ? 0 : quiet + 1;
  }
  self->summary.learning = false;
  return true;
}

/* --- exploring --- */

static void start_strategy(struct exploration *self) {
  const struct strategy_settings settings = {
      .seed = self->settings->seed,
      .max_preemptions = self->settings->max_preemptions,
      .depth = self->settings->depth,
      .expected_steps = self->expected_steps,
  };
  self->strategy = self->settings->strategy->create(&settings);
  self->submitted_runs = 0;
  exploration_remember_knowledge(self);
  knowledge_forget_observations(executor_knowledge(self->executor));
}

static void stop_strategy(struct exploration *self) {
  if (self->strategy) self->settings->strategy->destroy(self->strategy);
  self->strategy = NULL;
}

/* What was explored so far becomes part of learning. */
static void restart_strategy(struct exploration *self) {
  struct summary *summary = &self->summary;
  stop_strategy(self);
  summary->learning_runs += summary->runs;
  summary->runs = summary->visible_operations = 0;
  summary->deadlocked_runs = summary->truncated_runs = summary->discarded_runs = 0;
  self->restart = self->left_out = false;
  start_strategy(self);
}

static void submit(struct exploration *self) {
  const struct target *target = &self->target;
  const uint64_t left = self->max_runs - self->submitted_runs;
  struct plan plan = {
      .seed = target->seed,
      .runs = (uint32_t)(target->runs < left ? target->runs : left),
      .policy = target->policy,
      .priority_changes = target->priority_changes,
      .expected_steps = target->expected_steps,
      .record_from = target->record_from,
  };
  executor_submit(self->executor, &plan, target->prefix.items, target->prefix.count, NULL, 0);
  self->flights[self->end_flight++ % MAX_WINDOW] = (struct flight){target->cookie, plan.runs};
  self->submitted_runs += plan.runs;
}

static bool wants_more(const struct exploration *self) {
  return !self->stop && !self->restart && self->end_flight - self->first_flight < self->settings->strategy->window;
}

static void submit_targets(struct exploration *self) {
  while (wants_more(self)) {
    if (self->submitted_runs >= self->max_runs) return;
    struct schedule prefix = self->target.prefix;
    prefix.count = 0;
    self->target = (struct target){.prefix = prefix, .runs = 1};
    if (!self->settings->strategy->next(self->strategy, &self->target)) return;
    submit(self);
  }
}

/* A plan that ended early gives back the runs it did not make. */
static void absorb(struct exploration *self, const struct reply *reply) {
  const struct flight flight = self->flights[self->first_flight++ % MAX_WINDOW];
  const uint64_t runs = reply->trace.record->run + 1;
  self->submitted_runs -= flight.runs - runs;
  if (!self->restart) self->settings->strategy->absorb(self->strategy, flight.cookie, &reply->trace, runs);
}

static void handle(struct exploration *self, const struct reply *reply) {
  if (exploration_has_learned(self, reply)) self->restart = true;
  exploration_count_runs(self, reply);
  if (!self->restart || outcome_is_bug(reply->trace.record->outcome)) exploration_judge(self, reply);
  if (reply->plan_done) absorb(self, reply);
}

/* Nothing is under way and the strategy has nothing to run, or may not. */
static void finish(struct exploration *self) {
  struct strategy_stats stats = {0};
  self->settings->strategy->stats(self->strategy, &stats);
  const bool has_work_left = stats.left > 0 || stats.bounded;
  if (has_work_left && self->submitted_runs >= self->max_runs) exploration_note_incomplete(self, REASON_MAX_RUNS);
  if (self->summary.truncated_runs > 0) exploration_note_incomplete(self, REASON_CUT_SHORT);
  if (self->left_out) exploration_note_incomplete(self, REASON_TIME_OUTS);
  if (stats.bounded) exploration_note_incomplete(self, REASON_PREEMPTIONS);
}

static bool run_strategy(struct exploration *self, struct error *error) {
  start_strategy(self);
  for (;;) {
    submit_targets(self);
    if (self->hurry) executor_drop_plans(self->executor);
    if (self->stop && !executor_is_alive(self->executor)) executor_drop_plans(self->executor);
    if (executor_in_flight(self->executor) == 0) {
      self->first_flight = self->end_flight;
      if (!self->restart || self->stop) break;
      restart_strategy(self);
      continue;
    }
    struct reply reply;
    bool received;
    if (!receive(self, &reply, &received, error)) return false;
    if (received) handle(self, &reply);
  }
  finish(self);
  return true;
}

/* --- everything --- */

/* A program that cannot be run any more, after runs that worked, does not take away what they showed. */
static bool run(struct exploration *self, struct error *error) {
  if (learn(self, error) && (self->stop || run_strategy(self, error))) return true;
  if (self->summary.runs + self->summary.learning_runs == 0) return false;
  exploration_warn(self, error->message);
  exploration_note_incomplete(self, REASON_NOT_RUNNABLE);
  return true;
}

static uint64_t own_peak_rss_kb(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (uint64_t)usage.ru_maxrss;
}

static void conclude(struct exploration *self, struct explore_result *result) {
  executor_end_process(self->executor);
  self->summary.peak_rss_kb = own_peak_rss_kb() + executor_peak_rss_kb(self->executor);
  if (executor_knowledge(self->executor)->overflow) exploration_note_incomplete(self, REASON_TABLE_FULL);
  result->found_bug = self->findings.list.count > 0;
  result->complete = self->summary.complete = self->reason == REASON_NONE;
}

static void free_exploration(struct exploration *self) {
  stop_strategy(self);
  executor_destroy(self->executor);
  findings_free(&self->findings);
  for (size_t i = 0; i < self->warnings.count; i++) free(self->warnings.items[i]);
  vector_free(&self->warnings);
  text_free(&self->advice);
  vector_free(&self->target.prefix);
  free(self->known);
}

bool explore(const struct explore_settings *settings, const struct observer *observers, size_t n_observers,
             struct explore_result *result, struct error *error) {
  struct exploration self = {.settings = settings, .observers = observers, .n_observers = n_observers};
  self.executor = executor_create(&settings->executor, error);
  if (!self.executor) return false;
  self.findings.settings = &settings->executor;
  self.findings.minimise_runs = settings->minimise_runs;
  self.known = memory_allocate(sizeof *self.known);
  self.max_runs = settings->max_runs != NO_LIMIT ? settings->max_runs : settings->strategy->default_max_runs;
  self.started_at = self.progress_at = exploration_clock();
  self.summary = (struct summary){
      .strategy = settings->strategy->name,
      .seed = settings->seed,
      .findings = &self.findings,
      .knowledge = executor_knowledge(self.executor),
      .coverage_bytes = settings->executor.coverage_bytes,
  };
  const bool good = run(&self, error);
  if (good) {
    conclude(&self, result);
    exploration_tell_end(&self);
  }
  free_exploration(&self);
  return good;
}
