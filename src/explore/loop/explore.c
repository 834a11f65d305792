/* SPDX-License-Identifier: MIT
 *
 * The loop. Two phases use it: learning (single random runs, so that most of what is shared is known before the
 * exploration starts) and exploring (the strategy's targets). When a run finds more to be shared, a strategy may keep
 * what it has explored. Otherwise that is about another program: its runs count as learning, and the strategy starts
 * again.
 *
 * Everything that is counted follows from the traces in their order, never from the clock, so that the same seed gives
 * the same result. Therefore runs that are under way when a bug is found are still awaited and counted.
 */
#include "explore/loop/internal.h"

#include "explore/executor/journal.h"
#include "explore/executor/knowledge.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define LEARNING_RUNS 20
#define MOST_LEARNING_RUNS 200
#define RECEIVE_MILLISECONDS 50
#define LONG_PREFIX 4096u
#define LARGE_TRACE_BYTES (64u << 10) /* that take longer than a look at the clock */

static void repeat(struct exploration *self, const struct reply *reply) {
  self->repeated_ticket = reply->ticket + 1;
  self->repeated_as_diverged = exploration_has_diverged(reply);
  self->summary.divergences += self->repeated_as_diverged;
  lane_repeat(self->lane);
}

/* While a finding is examined, its replies come in between. */
static enum reception receive_any(struct exploration *self, struct reply *reply, struct error *error) {
  if (!exploration_is_examining(self)) return lane_receive(self->lane, RECEIVE_MILLISECONDS, reply, error);
  exploration_look_at_examination(self);
  const enum reception reception = pool_receive(self->pool, RECEIVE_MILLISECONDS, reply, error);
  if (reception == RECEPTION_NOTHING || reply->lane == self->lane) return reception;
  exploration_take_examined(self, reception, reply);
  return RECEPTION_NOTHING;
}

static bool receive(struct exploration *self, struct reply *reply, bool *received, struct error *error) {
  const enum reception reception = receive_any(self, reply, error);
  *received = reception == RECEPTION_REPLY;
  if (*received && reply->damaged) {
    exploration_note_incomplete(self, REASON_DAMAGED); /* runs that were refused are in what was observed */
    exploration_restore_knowledge(self);
  }
  if (*received && exploration_deserves_repetition(self, reply)) {
    repeat(self, reply);
    *received = false;
  }
  const bool is_large = *received && reply->trace.record->size_bytes > LARGE_TRACE_BYTES;
  if (!*received || is_large || self->replies_until_clock-- == 0) exploration_look_at_clock(self);
  return reception != RECEPTION_FAILED;
}

static bool needs_objects(const struct exploration *self) {
  return self->settings->strategy->needs_objects || self->settings->check_once;
}

/* --- learning --- */

struct learning {
  struct generations *generations;
  bool grew;          /* the last run showed something new to be shared */
  bool was_discarded; /* an assumption ended it */
};

/* Small at first: an input may say how many threads there are, or how large something is. */
static uint32_t draw_inputs(uint64_t i) {
  return PLAN_RANDOM_INPUTS | (i < LEARNING_RUNS / 2 ? PLAN_SMALL_INPUTS : 0);
}

/* Inputs are 0, or random; once there are decisions, every other run takes a side that was not taken before, so that
 * what is shared after it is known before the exploration starts. After a run that an assumption ended comes one that
 * satisfies it. */
static uint32_t choose_learning_inputs(struct exploration *self, const struct learning *learning, uint64_t i,
                                       input_values *list) {
  struct values *values = NULL;
  list->count = 0;
  if (!learning->was_discarded || !generations_go_on(learning->generations, &values)) {
    if (i % 4 == 0) return 0;
    if (i % 2 == 1 || !generations_next(learning->generations, &values)) return draw_inputs(i);
  }
  inputs_append_values(self->inputs, values, list);
  values_release(values);
  return 0;
}

static void learn_from(struct exploration *self, const struct reply *reply, struct generations *generations) {
  const struct path *path = exploration_read_path(self, &reply->trace);
  if (path) generations_add(generations, path);
}

/* One random run, whose threads continue when one of them fails. */
static bool learning_run(struct exploration *self, uint64_t i, struct learning *learning, struct error *error) {
  input_values *inputs = &self->target.inputs;
  const bool is_quiet = self->settings->strategy->learns_quietly;
  const uint32_t flags = PLAN_PUBLISH_ALL | choose_learning_inputs(self, learning, i, inputs) |
                         (is_quiet ? PLAN_SYMBOLIC_READS : PLAN_LATE_END);
  const struct plan plan = {.flags = flags, .seed = self->settings->seed + i, .runs = 1, .policy = POLICY_RANDOM};
  exploration_remember_knowledge(self);
  lane_submit(self->lane, &plan, NULL, 0, inputs->items, inputs->count);
  while (lane_outstanding(self->lane) > 0 && !self->hurry) {
    struct reply reply;
    bool received;
    if (!receive(self, &reply, &received, error)) return false;
    if (!received) continue;
    learning->grew = exploration_has_learned(self, &reply);
    learning->was_discarded = reply.trace.record->outcome == OUTCOME_ASSUMPTION_FAILED;
    if (learning->grew) self->estimate = (struct estimate){0};
    if (!learning->grew) estimate_add_run(&self->estimate, &reply.trace);
    if (reply.trace.record->n_steps > self->expected_steps) self->expected_steps = reply.trace.record->n_steps;
    self->summary.learning_runs++;
    learn_from(self, &reply, learning->generations);
    exploration_note_computing(self, &reply);
    if (needs_objects(self)) syn_objects_learn(&self->objects, &reply.trace);
    if (!is_quiet) exploration_judge(self, &reply);
  }
  return true;
}

/* For tests: whatever is shared is then found out by the strategy's runs. */
static bool learning_is_off(void) {
  const char *given = getenv("HEDDLE_LEARNING");
  return given && strcmp(given, "never") == 0;
}

static bool learn(struct exploration *self, struct error *error) {
  if (learning_is_off()) return true;
  struct learning learning = {.generations = generations_create(self->inputs, self->settings->seed)};
  bool good = true;
  self->summary.learning = true;
  uint64_t quiet = 0;
  for (uint64_t i = 0; good && quiet < LEARNING_RUNS && i < MOST_LEARNING_RUNS && !self->stop; i++) {
    learning.grew = false;
    good = learning_run(self, i, &learning, error);
    quiet = learning.grew ? 0 : quiet + 1;
  }
  generations_destroy(learning.generations);
  if (good) self->summary.learning = false;
  return good;
}

/* --- exploring --- */

void exploration_create_strategy(struct exploration *self) {
  const struct strategy_settings settings = {
      .seed = self->settings->seed,
      .knowledge = lane_knowledge(self->lane),
      .expected_steps = self->expected_steps,
      .max_events = self->settings->executor.max_events,
      .races_are_bugs = self->settings->executor.options & RUN_RACES_END,
      .joins_twins = self->settings->executor.options & RUN_SYMMETRY,
      .is_branch_side = self->settings->is_branch_side,
      .coverage_bytes = self->settings->executor.coverage_bytes,
      .inputs = self->inputs,
      .objects = &self->objects,
      .deadline = &self->deadline,
      .is_saved = self->settings->journal != NULL,
      .own = self->settings->own,
  };
  self->strategy = self->settings->strategy->create(&settings);
}

static void start_strategy(struct exploration *self) {
  self->divergences = 0;
  sequences_clear(&self->sequences);
  exploration_create_strategy(self);
  self->submitted_runs = 0;
  exploration_remember_knowledge(self);
  observations_forget(lane_observations(self->lane));
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
  summary->deadlocked_runs = summary->truncated_runs = summary->discarded_runs = summary->computing_runs = 0;
  summary->unfair_rounds = 0;
  self->restart = self->has_kept = self->left_out = self->held_back = self->asked_too_much = false;
  exploration_forget_looks(self);
  start_strategy(self);
}

/* Its lists keep their memory. */
static void empty_target(struct target *target) {
  struct target empty = {
      .prefix = target->prefix, .inputs = target->inputs, .sleepers = target->sleepers, .plan = {.runs = 1}};
  empty.prefix.count = empty.inputs.count = empty.sleepers.count = 0;
  *target = empty;
}

static void take_probe(struct exploration *self, const struct flight *flight, const struct reply *reply);

static void submit(struct exploration *self) {
  const struct target *target = &self->target;
  const uint64_t left = self->max_runs - self->submitted_runs;
  struct plan plan = target->plan;
  if (plan.runs > left) plan.runs = (uint32_t)left;
  if (self->settings->check_once) plan.record_from = 0;
  const uint64_t ticket = lane_submit(self->lane, &plan, target->prefix.items, target->prefix.count,
                                      target->inputs.items, target->inputs.count);
  if (target->sleepers.count > 0) lane_add_sleepers(self->lane, target->sleepers.items, target->sleepers.count);
  self->flights[ticket % MAX_WINDOW] = (struct flight){.take = target->is_probe ? take_probe : exploration_take_target,
                                                       .cookie = target->cookie,
                                                       .runs = plan.runs,
                                                       .record_from = target->plan.record_from};
  self->submitted_runs += plan.runs;
}

static bool wants_more(const struct exploration *self) {
  return !self->stop && !self->restart && lane_outstanding(self->lane) < self->settings->strategy->window;
}

static void submit_targets(struct exploration *self) {
  if (!self->stop && !self->restart) exploration_submit_looks(self);
  while (wants_more(self)) {
    if (self->submitted_runs >= self->max_runs) return;
    empty_target(&self->target);
    if (!self->settings->strategy->next(self->strategy, &self->target)) return;
    submit(self);
    if (self->target.prefix.count > LONG_PREFIX && deadline_is_over_now(&self->deadline)) return;
  }
}

static void check_once(struct exploration *self, const struct reply *reply, const struct path *path) {
  sequences_add(&self->sequences, &self->objects, &reply->trace, path);
  self->summary.sequences = self->sequences.seen.count + self->sequences.seen.has_zero;
  if (self->sequences.twice == 0 || !self->settings->strategy->needs_objects) return;
  exploration_warn(self,
                   "a sequence was exercised twice: this is a defect in heddle, please report it with the program");
  exploration_note_incomplete(self, REASON_TWICE);
}

/* A plan that ended early gives back the runs it did not make. */
static void absorb(struct exploration *self, const struct flight *flight, const struct reply *reply,
                   const struct path *path) {
  const uint64_t runs = reply->trace.record->run + 1;
  self->submitted_runs -= flight->runs - runs;
  if (self->restart) return;
  struct trace record = *reply->trace.record;
  struct trace_view trace = reply->trace;
  if (self->settings->check_once) {
    check_once(self, reply, path);
    if (flight->record_from > 0) {
      trace_leave_out_before(&trace, &record, flight->record_from);
    }
  }
  self->settings->strategy->absorb(self->strategy, flight->cookie, &trace, path, runs);
}

/* ---- when more turns out to be shared ---- */

/* What the solver was asked, and objects that are one, belong to what was explored before. */
static bool may_keep(const struct exploration *self, const struct reply *reply) {
  return self->settings->strategy->keep && !self->restart && !needs_objects(self) && reply->plan_done &&
         reply->trace.record->flags & TRACE_SHARED_GREW && !(reply->trace.record->flags & TRACE_MARKED) &&
         lane_isolation(self->lane) == self->isolation && inputs_count(self->inputs) == 0;
}

/* The run will be made again: it was one to learn from. */
static void take_back(struct exploration *self, const struct flight *flight, const struct reply *reply) {
  self->summary.learning_runs++;
  self->submitted_runs -= flight->runs;
  observations_take_back(lane_observations(self->lane), &reply->trace);
  exploration_note_computing(self, reply);
  if (outcome_is_bug(reply->trace.record->outcome)) exploration_judge(self, reply);
}

/* The run showed that more is shared. True: it has been dealt with. Otherwise it is absorbed, or voids all others. */
static bool learn_more(struct exploration *self, const struct flight *flight, const struct reply *reply) {
  const struct strategy *strategy = self->settings->strategy;
  const uint64_t version = reply->trace.record->version;
  uint64_t n_void = 0;
  const enum keeping keeping =
      may_keep(self, reply) ? strategy->keep(self->strategy, flight->cookie, version, &n_void) : KEEPS_NOTHING;
  self->restart |= keeping == KEEPS_NOTHING;
  if (keeping == KEEPS_NOTHING) return false;
  self->has_kept = true;
  self->summary.runs -= n_void;
  self->summary.learning_runs += n_void;
  if (keeping == KEEPS_ALL) return false;
  take_back(self, flight, reply);
  exploration_remember_knowledge(self);
  return true;
}

/* Objects that turn out to be one make what was explored with them void. */
static bool learns_objects(struct exploration *self, const struct reply *reply) {
  return needs_objects(self) && syn_objects_learn(&self->objects, &reply->trace);
}

/* Steps of a time when less was known to be shared do not lead where they did. */
static bool is_out_of_date(const struct reply *reply) {
  return reply->trace.record->flags & TRACE_CARRIES && exploration_has_diverged(reply);
}

static bool is_stale(const struct exploration *self) {
  struct strategy_stats stats = {0};
  if (self->has_kept) self->settings->strategy->stats(self->strategy, &stats);
  return stats.stale;
}

/* A run whose decisions went another way than its inputs should have made them. */
static void note_divergences(struct exploration *self) {
  struct strategy_stats stats = {0};
  self->settings->strategy->stats(self->strategy, &stats);
  for (; self->divergences < stats.divergences; self->divergences++) exploration_note_divergence(self);
}

/* Targets that depended on this one are as if they had never been submitted. */
static void skip_conditional(struct exploration *self, const struct reply *reply) {
  if (trace_is_quiet(reply->trace.record) && lane_isolation(self->lane) == self->isolation) return;
  const size_t skipped = lane_skip_conditional(self->lane);
  for (size_t i = 1; i <= skipped; i++) self->submitted_runs -= self->flights[(reply->ticket + i) % MAX_WINDOW].runs;
}

void exploration_take_target(struct exploration *self, const struct flight *flight, const struct reply *reply) {
  if (reply->plan_done) skip_conditional(self, reply);
  const bool has_learned = exploration_has_learned(self, reply);
  if (has_learned && learn_more(self, flight, reply)) return;
  if (learns_objects(self, reply) || is_out_of_date(reply)) self->restart = true;
  exploration_count_runs(self, reply);
  exploration_note_computing(self, reply);
  const struct path *path = exploration_read_path(self, &reply->trace);
  if (!self->restart || outcome_is_bug(reply->trace.record->outcome)) exploration_judge(self, reply);
  if (reply->plan_done) absorb(self, flight, reply, path);
  if (has_learned && !self->restart) exploration_remember_knowledge(self);
  if (is_stale(self)) self->restart = true;
  if (reply->plan_done) exploration_note_failure(self, reply);
  if (self->summary.inputs > 0) note_divergences(self);
}

static void take_probe(struct exploration *self, const struct flight *flight, const struct reply *reply) {
  if (exploration_has_learned(self, reply) && learn_more(self, flight, reply)) return;
  take_back(self, flight, reply);
  if (!self->restart) self->settings->strategy->absorb(self->strategy, flight->cookie, &reply->trace, NULL, 1);
  if (is_out_of_date(reply) || is_stale(self)) self->restart = true;
}

static bool has_work(const struct exploration *self) {
  struct strategy_stats stats = {0};
  self->settings->strategy->stats(self->strategy, &stats);
  return stats.left > 0;
}

/* What is left may be nothing but sides of decisions that no inputs take. */
static bool finds_work(struct exploration *self) {
  while (self->summary.inputs > 0 && !self->stop && has_work(self)) {
    self->target.prefix.count = self->target.inputs.count = 0;
    if (self->settings->strategy->next(self->strategy, &self->target)) return true;
    exploration_look_at_clock(self);
  }
  return has_work(self);
}

/* A finding that was not looked for ended runs that would have gone on by themselves. Whether there is one must not
 * depend on how far its examination is. */
static bool hides_what_follows(struct exploration *self) {
  const uint64_t goes_on = (1ull << OUTCOME_MEMORY_MISUSE | 1ull << OUTCOME_LOCK_MISUSE) & ~self->settings->sought;
  if (goes_on) exploration_settle(self);
  return exploration_has_found(self, goes_on);
}

static void warn_of(struct exploration *self, const char *before, const char *what, const char *behind) {
  struct text words = {0};
  if (!what) return;
  text_append_format(&words, "%s: %s%s", before, what, behind);
  exploration_warn(self, text_string(&words));
  text_free(&words);
}

/* Nothing is under way and the strategy has nothing to run, or may not. */
static void finish(struct exploration *self) {
  struct strategy_stats stats = {0};
  const bool has_left = finds_work(self);
  self->settings->strategy->stats(self->strategy, &stats);
  const bool has_work_left = has_left || stats.bounded;
  if (has_work_left && self->submitted_runs >= self->max_runs) exploration_note_incomplete(self, REASON_MAX_RUNS);
  if (self->summary.computing_runs > 0) exploration_note_incomplete(self, REASON_COMPUTES);
  if (self->asked_too_much) exploration_note_incomplete(self, REASON_INPUTS);
  if (self->held_back) exploration_note_incomplete(self, REASON_THREADS);
  if (self->summary.truncated_runs > 0) exploration_note_incomplete(self, REASON_CUT_SHORT);
  if (self->left_out) exploration_note_incomplete(self, REASON_TIME_OUTS);
  exploration_note_inputs(self, &stats);
  if (stats.hidden || hides_what_follows(self)) exploration_note_incomplete(self, REASON_HIDDEN);
  exploration_take_account(self);
  for (size_t i = 0; i < self->account.reasons.count; i++)
    exploration_note_incomplete(self, self->account.reasons.items[i]);
  if (stats.bounded || stats.defect) exploration_note_incomplete(self, REASON_DEFECT); /* or has told no reason */
  for (size_t i = 0; i < self->account.warnings.count; i++) exploration_warn(self, self->account.warnings.items[i]);
  warn_of(self, "internal error", stats.defect, "; please report it with the program");
}

/* Plans that a saved state has beyond --max-runs stay where they are saved. */
static void end_at_limit(struct exploration *self) {
  if (!self->restart) exploration_stop(self, REASON_MAX_RUNS);
  lane_drop(self->lane);
}

static bool run_strategy(struct exploration *self, struct error *error) {
  for (;;) {
    submit_targets(self);
    exploration_save_state(self);
    if (self->deadline.is_over) exploration_look_at_clock(self); /* the strategy may have left something unfinished */
    if (self->hurry) lane_drop(self->lane);
    if (lane_is_held(self->lane)) end_at_limit(self);
    if (self->stop && !lane_is_alive(self->lane)) lane_drop(self->lane);
    if (lane_outstanding(self->lane) == 0) {
      if (self->restart && !self->stop) {
        restart_strategy(self);
        continue;
      }
      if (self->stop || self->submitted_runs >= self->max_runs || !has_work(self)) break;
      exploration_look_at_clock(self); /* the strategy wants to be asked again */
      exploration_check_memory(self);
      continue;
    }
    struct reply reply;
    bool received;
    if (!receive(self, &reply, &received, error)) return false;
    if (!received) continue;
    const struct flight flight = self->flights[reply.ticket % MAX_WINDOW];
    flight.take(self, &flight, &reply);
    if (self->deadline.is_over) exploration_look_at_clock(self);
    exploration_look_at_memory(self, &reply);
  }
  finish(self);
  return true;
}

/* --- everything --- */

static bool learn_and_run(struct exploration *self, struct error *error) {
  if (!learn(self, error)) return false;
  if (self->stop) return true;
  start_strategy(self);
  return run_strategy(self, error);
}

static const struct text *saved_state(const struct exploration *self) {
  return self->settings->journal ? journal_state(self->settings->journal) : NULL;
}

/* A program that cannot be run any more, after runs that worked, does not take away what they showed. */
static bool run(struct exploration *self, struct error *error) {
  const struct text *const state = saved_state(self);
  if (state && !exploration_load_state(self, state, error)) return false;
  if (state ? run_strategy(self, error) : learn_and_run(self, error)) return true;
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

static void save(struct exploration *self) {
  lane_save(self->lane);
  warn_of(self, "the exploration was not saved to its end",
          self->settings->journal ? journal_trouble(self->settings->journal) : NULL, "");
}

static void conclude(struct exploration *self, struct explore_result *result) {
  exploration_settle(self);
  lane_end_processes(self->lane);
  save(self);
  if (self->deadline.is_over) exploration_look_at_clock(self);
  if (!self->hurry) exploration_check_knowledge(self); /* otherwise the process was killed, maybe while it wrote */
  if (!knowledge_follows_all(lane_knowledge(self->lane))) exploration_note_incomplete(self, REASON_NOT_FOLLOWED);
  self->summary.peak_rss_kb = own_peak_rss_kb() + lane_peak_rss_kb(self->lane);
  if (lane_knowledge(self->lane)->overflow) exploration_note_incomplete(self, REASON_TABLE_FULL);
  result->found_bug = exploration_has_found(self, self->settings->sought);
  result->complete = self->summary.complete = self->reason == REASON_NONE;
}

static void free_exploration(struct exploration *self) {
  stop_strategy(self);
  findings_free(&self->findings);
  exploration_forget_notices(self);
  pool_destroy(self->pool);
  for (size_t i = 0; i < self->warnings.count; i++) free(self->warnings.items[i]);
  vector_free(&self->warnings);
  account_free(&self->account);
  vector_free(&self->target.prefix);
  vector_free(&self->target.inputs);
  vector_free(&self->concretised);
  number_set_free(&self->paths);
  inputs_destroy(self->inputs);
  syn_objects_free(&self->objects);
  sequences_free(&self->sequences);
  vector_free(&self->target.sleepers);
  exploration_forget_looks(self);
  vector_free(&self->looks);
  free(self->known);
}

/* Strategies that never end by themselves have a limit of their own, where the user has set none. */
static uint64_t most_runs(const struct explore_settings *settings) {
  if (settings->max_runs != NO_LIMIT || settings->max_seconds > 0) return settings->max_runs;
  return settings->strategy->default_max_runs;
}

bool explore(const struct explore_settings *settings, const struct observer *observers, size_t n_observers,
             struct explore_result *result, struct error *error) {
  struct exploration self = {.settings = settings, .observers = observers, .n_observers = n_observers};
  self.pool = pool_create(1);
  self.lane = lane_open(self.pool, &settings->executor, error);
  if (!self.lane) {
    pool_destroy(self.pool);
    return false;
  }
  lane_keep_journal(self.lane, settings->journal);
  self.findings.pool = self.pool;
  self.repetition = settings->executor;
  self.repetition.deadline = &self.deadline;
  self.findings.settings = &self.repetition;
  self.findings.minimise_runs = settings->minimise_runs;
  self.known = memory_allocate(sizeof *self.known);
  const struct inputs_settings inputs = {settings->solver_timeout_milliseconds, settings->max_address_targets,
                                         settings->check_solver, &self.deadline};
  self.inputs = inputs_create(&inputs);
  self.max_runs = most_runs(settings);
  self.started_at = self.progress_at = clock_seconds();
  self.deadline.interrupted = settings->interrupted;
  if (settings->max_seconds > 0) self.deadline.at = self.started_at + settings->max_seconds;
  exploration_start_watching_memory(&self);
  self.summary = (struct summary){
      .strategy = settings->strategy->name,
      .seed = settings->seed,
      .findings = &self.findings,
      .sought = settings->sought,
      .knowledge = lane_knowledge(self.lane),
      .observations = lane_observations(self.lane),
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
