/* SPDX-License-Identifier: MIT
 *
 * What failing runs keep from being seen. A run ends when a thread fails, or when an assumption does not hold. If one
 * thread touches a byte and fails before its next operation, and in other runs another thread touches that byte and
 * fails before its next operation, no run shows both touches: the byte is not known to be shared, and that one of the
 * two can come between the other's touch and its failure is never tried.
 *
 * As long as the same thread fails in all failing runs nothing is missed: the others come to their next operations
 * before it fails, in runs that take their steps first. When a second one fails, the exploration starts again, and
 * every failing run is made once more as a "look": what is touched behind its last step is compared with what other
 * threads touched in such runs (PLAN_TOUCHES). Looks count as learning runs.
 */
#include "explore/internal.h"

#include "explore/last_step.h"
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
 * touches in all of its runs, and with PLAN_LATE_END the others go on. */
static bool hides_touches(const struct exploration *self, const struct reply *reply) {
  const struct trace *record = reply->trace.record;
  if (reply->plan->runs > 1 || reply->plan->flags & PLAN_LATE_END) return false;
  if (self->settings->strategy->learns_quietly) return false;
  if (!run_was_cut_short(&reply->trace) || record->thread >= HEDDLE_MAX_THREADS) return false;
  return record->n_threads > 1 && (self->settings->keep_going || !outcome_is_bug(record->outcome));
}

static void push_look(struct exploration *self, const struct reply *reply) {
  const struct plan *plan = reply->plan;
  const struct trace *record = reply->trace.record;
  const size_t known = plan->record_from < plan->n_steps ? plan->record_from : plan->n_steps;
  struct look look = {.seed = record->seed};
  schedule_append(&look.schedule, plan->steps, known);
  finding_append_schedule(&look.schedule, &reply->trace);
  for (uint32_t i = 0; i < record->n_input_values; i++) vector_push(&look.inputs, reply->trace.input_values[i]);
  vector_push(&self->looks, look);
}

void exploration_note_failure(struct exploration *self, const struct reply *reply) {
  if (self->restart || !hides_touches(self, reply)) return;
  const uint32_t thread = reply->trace.record->thread + 1u;
  if (self->several_fail) {
    push_look(self, reply);
  } else if (self->first_failing == 0) {
    self->first_failing = thread;
  } else if (self->first_failing != thread) {
    self->several_fail = self->restart = true;
  }
}

static void submit(struct exploration *self, const struct look *look) {
  const struct plan plan = {
      .flags = PLAN_PUBLISH_ALL | PLAN_TOUCHES, .seed = look->seed, .runs = 1, .policy = POLICY_CONTINUE};
  executor_submit(self->executor, &plan, look->schedule.items, look->schedule.count, look->inputs.items,
                  look->inputs.count);
  self->flights[self->end_flight++ % MAX_WINDOW] = (struct flight){.runs = 1, .is_look = true};
}

void exploration_submit_looks(struct exploration *self) {
  while (self->looks.count > 0 && self->end_flight - self->first_flight < self->settings->strategy->window) {
    struct look *const look = &self->looks.items[--self->looks.count];
    submit(self, look);
    free_look(look);
  }
}

bool exploration_takes_look(struct exploration *self, const struct reply *reply) {
  if (!self->flights[self->first_flight % MAX_WINDOW].is_look) return false;
  self->first_flight++;
  self->summary.learning_runs++;
  if (exploration_has_diverged(reply)) exploration_note_divergence(self);
  if (exploration_has_learned(self, reply)) self->restart = true;
  return true;
}
