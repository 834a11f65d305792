/* SPDX-License-Identifier: MIT
 *
 * What failing runs keep from being seen. A run ends when a thread fails, or when an assumption does not hold. If one
 * thread touches a byte and fails before its next operation, and in other runs another thread touches that byte and
 * fails before its next operation, no run shows both touches: the byte is not known to be shared, and that one of the
 * two can come between the other's touch and its failure is never tried.
 *
 * As long as the same thread fails in all failing runs nothing is missed: the others reach their next operations
 * before it fails, in runs that take their steps first. When a second one fails, the exploration starts again, and
 * every failing run is made once more as a "look": what is touched after its last step is compared with what other
 * threads touched in such runs (PLAN_TOUCHES).
 *
 * With PLAN_LATE_END the other threads continue after a failure, and more of them may fail. The run has one outcome,
 * that of the first. For each of the others that is not known yet, a look takes the steps of the run that do not happen
 * after the last step of another thread that failed. A failure that does happen after one is no other bug: the run
 * would have ended before.
 *
 * Looks count as learning runs.
 */
#include "explore/loop/internal.h"

#include "trace/last_step.h"
#include "trace/order.h"
#include "trace/tables.h"

#include <stdlib.h>

static void free_look(struct look *look) {
  vector_free(&look->schedule);
  vector_free(&look->inputs);
}

void exploration_forget_looks(struct exploration *self) {
  for (size_t i = 0; i < self->looks.count; i++) free_look(&self->looks.items[i]);
  self->looks.count = 0;
}

/* Did its end keep others from touching what its thread did? Runs that sample promise nothing, con2colic compares
 * touches in all of its runs, and with PLAN_LATE_END the others continue. */
static bool hides_touches(const struct exploration *self, const struct reply *reply) {
  const struct trace *record = reply->trace.record;
  if (reply->plan->runs > 1 || reply->plan->flags & PLAN_LATE_END) return false;
  if (self->settings->strategy->learns_quietly) return false;
  if (!run_was_cut_short(&reply->trace) || record->thread >= HEDDLE_MAX_THREADS) return false;
  return record->n_threads > 1 && (self->settings->keep_going || !outcome_is_bug(record->outcome));
}

/* Its schedule is the look's from now on. */
static void push_look(struct exploration *self, const struct reply *reply, struct schedule schedule, uint32_t failing) {
  const struct trace *record = reply->trace.record;
  struct look look = {
      .schedule = schedule, .seed = record->seed, .seen = 1 + (uint32_t)record->version, .failing = failing};
  for (uint32_t i = 0; i < record->n_input_values; i++) vector_push(&look.inputs, reply->trace.input_values[i]);
  vector_push(&self->looks, look);
}

static void look_at_touches(struct exploration *self, const struct reply *reply) {
  const struct plan *plan = reply->plan;
  const uint32_t first = trace_first_step(reply->trace.record, plan);
  const size_t known = first < plan->n_steps ? first : plan->n_steps;
  struct schedule schedule = {0};
  schedule_append(&schedule, plan_steps(plan), known);
  finding_append_schedule(&schedule, &reply->trace);
  push_look(self, reply, schedule, 0);
}

static void note_failing_thread(struct exploration *self, const struct reply *reply) {
  const uint32_t thread = reply->trace.record->thread + 1u;
  if (self->several_fail) {
    look_at_touches(self, reply);
  } else if (self->first_failing == 0) {
    self->first_failing = thread;
  } else if (self->first_failing != thread) {
    self->several_fail = self->restart = true;
  }
}

/* ---- failures after another ---- */

static bool has_failed(const struct pending *pending) {
  return pending->kind == EVENT_RUN_END;
}

/* A discarded run is not a finding. */
static bool is_worth_a_look(const struct exploration *self, const struct pending *pending) {
  if (!outcome_is_bug((uint32_t)pending->object)) return false;
  for (size_t i = 0; i < self->findings.list.count; i++) {
    const struct trace *known = self->findings.list.items[i]->trace.record;
    if (known->outcome == pending->object && known->site == pending->site) return false;
  }
  return true;
}

/* Does the step belong to a run in which this thread is the only one that fails? */
static bool is_without_others(const struct order *order, const struct trace_view *trace, thread_id thread,
                              uint32_t step) {
  for (uint32_t i = 0; i < trace->record->n_pending; i++) {
    const struct pending *other = &trace->pendings[i];
    if (!has_failed(other) || other->thread == thread) continue;
    const uint32_t last = order_last_step_of(order, other->thread);
    if (last == 0 || step == last - 1 || order_happens_before(order, last - 1, step)) return false;
  }
  return true;
}

/* It fails before its first step, so nothing can keep it from failing in any run. */
static bool fails_at_once(const struct order *order, const struct pending *pending) {
  return has_failed(pending) && order_last_step_of(order, pending->thread) == 0;
}

static bool somebody_fails_at_once(const struct order *order, const struct trace_view *trace) {
  for (uint32_t i = 0; i < trace->record->n_pending; i++)
    if (fails_at_once(order, &trace->pendings[i])) return true;
  return false;
}

static void look_at_thread(struct exploration *self, const struct reply *reply, const struct order *order,
                           thread_id thread) {
  const uint32_t end = order_last_step_of(order, thread);
  struct schedule schedule = {0};
  if (somebody_fails_at_once(order, &reply->trace)) exploration_note_incomplete(self, REASON_HIDDEN);
  if (end == 0 || !is_without_others(order, &reply->trace, thread, end - 1)) return;
  for (uint32_t i = 0; i < end; i++) {
    const struct event *event = order_event(order, i);
    const struct step step = {event->thread, event->alternative};
    if (is_without_others(order, &reply->trace, thread, i)) schedule_append(&schedule, &step, 1);
  }
  push_look(self, reply, schedule, thread + 1u);
}

static void look_at_failures(struct exploration *self, const struct reply *reply) {
  struct order *const order = order_create();
  order_push_trace(order, &reply->trace);
  exploration_settle(self); /* which failures are known decides what is looked at */
  for (uint32_t i = 0; i < reply->trace.record->n_pending; i++) {
    const struct pending *pending = &reply->trace.pendings[i];
    if (!has_failed(pending) || pending->thread == reply->trace.record->thread) continue;
    if (is_worth_a_look(self, pending)) look_at_thread(self, reply, order, pending->thread);
  }
  order_destroy(order);
}

void exploration_note_failure(struct exploration *self, const struct reply *reply) {
  if (self->restart) return;
  if (hides_touches(self, reply)) note_failing_thread(self, reply);
  if (!(reply->trace.record->flags & TRACE_HIDES)) return;
  if (reply->plan->flags & PLAN_LATE_END)
    look_at_failures(self, reply);
  else if (self->settings->keep_going)
    exploration_note_incomplete(self, REASON_HIDDEN);
}

/* ---- making them ---- */

static void judge_look(struct exploration *self, const struct flight *look, const struct reply *reply) {
  if (exploration_has_learned(self, reply)) {
    self->restart = true;
  } else if (look->failing == 0) {
    if (exploration_has_diverged(reply)) exploration_note_divergence(self);
  } else if (outcome_is_bug(reply->trace.record->outcome) && reply->trace.record->thread + 1u == look->failing) {
    exploration_judge(self, reply);
  } else {
    exploration_note_incomplete(self, REASON_HIDDEN);
  }
}

void exploration_take_look(struct exploration *self, const struct flight *look, const struct reply *reply) {
  self->summary.learning_runs++;
  judge_look(self, look, reply);
}

static void submit(struct exploration *self, const struct look *look) {
  const struct plan plan = {.flags = PLAN_PUBLISH_ALL | (look->failing ? PLAN_LENIENT : PLAN_TOUCHES),
                            .seed = look->seed,
                            .runs = 1,
                            .seen = look->seen,
                            .policy = POLICY_CONTINUE};
  const uint64_t ticket = lane_submit(self->lane, &plan, look->schedule.items, look->schedule.count, look->inputs.items,
                                      look->inputs.count);
  self->flights[ticket % MAX_WINDOW] =
      (struct flight){.take = exploration_take_look, .runs = 1, .failing = look->failing};
}

void exploration_submit_looks(struct exploration *self) {
  while (self->looks.count > 0 && lane_outstanding(self->lane) < self->settings->strategy->window) {
    struct look *const look = &self->looks.items[--self->looks.count];
    submit(self, look);
    free_look(look);
  }
}
