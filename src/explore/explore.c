/* SPDX-License-Identifier: MIT
 *
 * The loop. Two phases use it: learning (single random runs, so that most of what is shared is known before the
 * exploration starts) and exploring (the strategy's targets). When a run finds more to be shared, the tree explored so
 * far is about another program: its runs count as learning, and the strategy starts again.
 *
 * Everything that is counted follows from the traces in their order, never from the clock, so that the same seed gives
 * the same result. Therefore runs that are under way when a bug is found are still awaited and counted.
 */
#include "explore/explore.h"

#include "explore/knowledge.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define LEARNING_RUNS 20
#define MOST_LEARNING_RUNS 200
#define RECEIVE_MILLISECONDS 50
#define PROGRESS_SECONDS 0.1
#define DRAIN_SECONDS 1.0
#define REPLIES_PER_LOOK_AT_CLOCK 16
#define MAX_WINDOW 256

/* A target under way, in the order of submission. */
struct flight {
  void *cookie;
  uint64_t runs;
};

struct exploration {
  const struct explore_settings *settings;
  const struct observer *observers;
  size_t n_observers;
  struct executor *executor;
  struct findings findings;
  struct knowledge *known; /* when the strategy started */
  enum isolation isolation;
  void *strategy;
  struct target target;
  struct flight flights[MAX_WINDOW];
  uint64_t first_flight, end_flight;
  uint64_t max_runs, submitted_runs; /* of this strategy's life */
  uint32_t expected_steps;
  uint64_t repeated_ticket; /* 1 + the ticket that was repeated, 0 none */
  struct summary summary;
  VECTOR(char *) warnings;
  const char *reason; /* why it is not complete; NULL so far */
  double started_at, progress_at, stopped_at;
  uint32_t replies_until_clock;
  bool stop;  /* no new runs */
  bool hurry; /* do not wait for those under way */
  bool restart;
};

static double now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* --- telling the observers --- */

static void note_incomplete(struct exploration *self, const char *reason) {
  if (!self->reason) self->reason = reason;
}

static void update_summary(struct exploration *self) {
  struct summary *summary = &self->summary;
  struct strategy_stats stats = {0};
  if (self->strategy) self->settings->strategy->stats(self->strategy, &stats);
  summary->events = stats.events;
  summary->blocked_runs = stats.blocked_runs;
  summary->left = stats.left;
  summary->seconds = now_seconds() - self->started_at;
  summary->threads = knowledge_threads(executor_knowledge(self->executor));
  summary->coverage = executor_coverage(self->executor);
  summary->warnings = (const char *const *)self->warnings.items;
  summary->n_warnings = self->warnings.count;
  summary->incomplete_because = self->reason ? self->reason : "";
}

static void tell_progress(struct exploration *self) {
  update_summary(self);
  for (size_t i = 0; i < self->n_observers; i++)
    if (self->observers[i].progress) self->observers[i].progress(self->observers[i].self, &self->summary);
}

static void tell_bug(struct exploration *self, const struct finding *finding) {
  for (size_t i = 0; i < self->n_observers; i++)
    if (self->observers[i].bug) self->observers[i].bug(self->observers[i].self, finding);
}

static void tell_end(struct exploration *self) {
  update_summary(self);
  for (size_t i = 0; i < self->n_observers; i++)
    if (self->observers[i].end) self->observers[i].end(self->observers[i].self, &self->summary);
}

/* Each warning once. */
static void warn(struct exploration *self, const char *message) {
  for (size_t i = 0; i < self->warnings.count; i++)
    if (strcmp(self->warnings.items[i], message) == 0) return;
  vector_push(&self->warnings, memory_copy_string(message));
  for (size_t i = 0; i < self->n_observers; i++)
    if (self->observers[i].warning) self->observers[i].warning(self->observers[i].self, message);
}

/* --- limits --- */

static void stop_because(struct exploration *self, const char *reason) {
  note_incomplete(self, reason);
  if (!self->stop) self->stopped_at = now_seconds();
  self->stop = true;
}

static void look_at_clock(struct exploration *self) {
  self->replies_until_clock = REPLIES_PER_LOOK_AT_CLOCK;
  const double now = now_seconds();
  const double limit = self->settings->max_seconds;
  if (*self->settings->interrupted) {
    stop_because(self, "interrupted");
    self->hurry = true;
  }
  if (limit > 0 && now - self->started_at >= limit) {
    stop_because(self, "--max-time is over");
    self->hurry = true;
  }
  if (self->stop && now - self->stopped_at > DRAIN_SECONDS) self->hurry = true;
  if (now - self->progress_at < PROGRESS_SECONDS) return;
  self->progress_at = now;
  tell_progress(self);
}

/* --- what a trace means --- */

static void count_runs(struct exploration *self, const struct reply *reply) {
  const struct trace *trace = reply->trace.record;
  self->summary.truncated_runs += outcome_row(trace->outcome)->class == OUTCOME_BOUND;
  if (!reply->plan_done) return;
  self->summary.runs += trace->run + 1;
  self->summary.visible_operations += trace->plan_steps;
  self->summary.discarded_runs += trace->plan_discarded;
}

static void found_bug(struct exploration *self, const struct reply *reply) {
  if (self->stop) return;
  struct text words = {0};
  switch (findings_add(&self->findings, reply, executor_isolation(self->executor), self->known,
                       executor_knowledge(self->executor), &words)) {
  case FINDING_NEW:
    tell_bug(self, self->findings.list.items[self->findings.list.count - 1]);
    if (!self->settings->keep_going) stop_because(self, "stopped at the first bug");
    break;
  case FINDING_LOST:
    warn(self, text_string(&words));
    note_incomplete(self, "a failing run could not be repeated");
    break;
  case FINDING_KNOWN: break;
  }
  text_free(&words);
}

/* The run left its plan, or ended by itself before the plan did. */
static bool has_diverged(const struct reply *reply) {
  const struct trace *trace = reply->trace.record;
  const enum outcome_class class = outcome_row(trace->outcome)->class;
  return class == OUTCOME_INTERNAL || (class == OUTCOME_FINE && trace->n_steps < reply->plan->n_steps);
}

/* A run that vanished or left its plan may have had an accident from outside: it gets a second chance in a new process.
 */
static bool deserves_repetition(const struct exploration *self, const struct reply *reply) {
  const bool is_lost = reply->trace.record->outcome == OUTCOME_VANISHED || has_diverged(reply);
  return is_lost && !self->restart && reply->plan_done && self->repeated_ticket != reply->plan->ticket + 1;
}

static void repeat(struct exploration *self, const struct reply *reply) {
  self->repeated_ticket = reply->plan->ticket + 1;
  executor_repeat(self->executor);
}

static void note_divergence(struct exploration *self) {
  self->summary.divergences++;
  note_incomplete(self, "the program behaves differently when repeated");
  warn(self, "the program behaves differently when repeated: it depends on something heddle does not control");
}

static void judge(struct exploration *self, const struct reply *reply) {
  const enum outcome_class class = outcome_row(reply->trace.record->outcome)->class;
  const bool was_repeated = self->repeated_ticket == reply->plan->ticket + 1;
  if (has_diverged(reply))
    note_divergence(self);
  else if (class == OUTCOME_BUG)
    found_bug(self, reply);
  else if (class == OUTCOME_BOUND)
    note_incomplete(self, "--max-events cut runs short");
  else if (was_repeated)
    warn(self, "a run was lost and went well when repeated: was the program's process killed from outside?");
}

/* Only what the order of the traces decides: a process that works ahead may already have learned more. */
static bool has_learned(const struct exploration *self, const struct reply *reply) {
  if (reply->trace.record->flags & TRACE_SHARED_GREW) return true;
  if (executor_isolation(self->executor) != self->isolation) return true;
  const bool at_rest = executor_in_flight(self->executor) == 0 || !executor_is_alive(self->executor);
  return at_rest && knowledge_shared(executor_knowledge(self->executor)) != knowledge_shared(self->known);
}

static void remember_knowledge(struct exploration *self) {
  knowledge_copy_threads(self->known, executor_knowledge(self->executor));
  knowledge_copy_shared(self->known, executor_knowledge(self->executor));
  self->isolation = executor_isolation(self->executor);
}

static void restore_knowledge(struct exploration *self) {
  struct knowledge *knowledge = executor_knowledge(self->executor);
  knowledge_copy_threads(knowledge, self->known);
  knowledge_copy_shared(knowledge, self->known);
}

/* --- learning --- */

static bool receive(struct exploration *self, struct reply *reply, bool *received, struct error *error) {
  const enum reception reception = executor_receive(self->executor, RECEIVE_MILLISECONDS, reply, error);
  *received = reception == RECEPTION_REPLY;
  if (*received && reply->damaged) restore_knowledge(self);
  if (*received && deserves_repetition(self, reply)) {
    repeat(self, reply);
    *received = false;
  }
  if (!*received || self->replies_until_clock-- == 0) look_at_clock(self);
  return reception != RECEPTION_FAILED;
}

/* One random run; *grew says whether it showed something new to be shared. */
static bool learning_run(struct exploration *self, uint64_t seed, bool *grew, struct error *error) {
  const struct plan plan = {.flags = PLAN_PUBLISH_ALL, .seed = seed, .runs = 1, .policy = POLICY_RANDOM};
  remember_knowledge(self);
  executor_submit(self->executor, &plan, NULL, 0);
  while (executor_in_flight(self->executor) > 0 && !self->hurry) {
    struct reply reply;
    bool received;
    if (!receive(self, &reply, &received, error)) return false;
    if (!received) continue;
    *grew = has_learned(self, &reply);
    if (reply.trace.record->n_steps > self->expected_steps) self->expected_steps = reply.trace.record->n_steps;
    self->summary.learning_runs++;
    judge(self, &reply);
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
  remember_knowledge(self);
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
  summary->runs = summary->visible_operations = summary->truncated_runs = summary->discarded_runs = 0;
  self->restart = false;
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
  executor_submit(self->executor, &plan, target->prefix.items, target->prefix.count);
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
  if (has_learned(self, reply)) self->restart = true;
  count_runs(self, reply);
  if (!self->restart || outcome_is_bug(reply->trace.record->outcome)) judge(self, reply);
  if (reply->plan_done) absorb(self, reply);
}

/* Nothing is under way and the strategy has nothing to run, or may not. */
static void finish(struct exploration *self) {
  struct strategy_stats stats = {0};
  self->settings->strategy->stats(self->strategy, &stats);
  const bool has_work_left = stats.left > 0 || stats.bounded;
  if (has_work_left && self->submitted_runs >= self->max_runs) note_incomplete(self, "--max-runs is reached");
  if (stats.bounded) note_incomplete(self, "--max-preemptions left schedules out");
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
  warn(self, error->message);
  note_incomplete(self, "the program could not be run any more");
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
  if (executor_knowledge(self->executor)->overflow) note_incomplete(self, "one of heddle's tables was full");
  result->found_bug = self->findings.list.count > 0;
  result->complete = self->summary.complete = self->reason == NULL;
}

static void free_exploration(struct exploration *self) {
  stop_strategy(self);
  executor_destroy(self->executor);
  findings_free(&self->findings);
  for (size_t i = 0; i < self->warnings.count; i++) free(self->warnings.items[i]);
  vector_free(&self->warnings);
  vector_free(&self->target.prefix);
  free(self->known);
}

bool explore(const struct explore_settings *settings, const struct observer *observers, size_t n_observers,
             struct explore_result *result, struct error *error) {
  struct exploration self = {.settings = settings, .observers = observers, .n_observers = n_observers};
  self.executor = executor_create(&settings->executor, error);
  if (!self.executor) return false;
  self.findings.settings = &settings->executor;
  self.known = memory_allocate(sizeof *self.known);
  self.max_runs = settings->max_runs != NO_LIMIT ? settings->max_runs : settings->strategy->default_max_runs;
  self.started_at = self.progress_at = now_seconds();
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
    tell_end(&self);
  }
  free_exploration(&self);
  return good;
}
