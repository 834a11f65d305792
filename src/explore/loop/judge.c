/* SPDX-License-Identifier: MIT
 *
 * What a trace means for the exploration as a whole, whichever strategy asked for it.
 */
#include "explore/loop/internal.h"

#include "explore/executor/knowledge.h"
#include "trace/tables.h"

static void note_limit(struct exploration *self, const struct trace_view *trace) {
  struct text words = {0};
  text_append_format(&words, "a run was stopped at one of heddle's limits: %s", trace->message);
  exploration_warn(self, text_string(&words));
  exploration_note_incomplete(self, REASON_LIMIT);
  text_free(&words);
}

#define MOST_COMPUTING 3 /* each of them takes --hang-time */

static bool was_cut(const struct trace *trace) {
  return trace->outcome == OUTCOME_COMPUTES || trace->flags & TRACE_CUT;
}

void exploration_count_runs(struct exploration *self, const struct reply *reply) {
  const struct trace *trace = reply->trace.record;
  if (trace->outcome == OUTCOME_LIMIT) note_limit(self, &reply->trace);
  self->summary.deadlocked_runs += trace->outcome == OUTCOME_DEADLOCK;
  self->summary.truncated_runs += outcome_row(trace->outcome)->class == OUTCOME_BOUND;
  self->summary.computing_runs += was_cut(trace);
  self->asked_too_much |= trace->outcome == OUTCOME_TOO_MANY_INPUTS;
  self->held_back |= (trace->flags & TRACE_HELD_BACK) != 0;
  self->left_out |= (trace->flags & TRACE_LEFT_OUT) != 0;
  if (!reply->plan_done) return;
  self->summary.runs += trace->run + 1;
  self->summary.visible_operations += trace->plan_steps;
  self->summary.discarded_runs += trace->plan_discarded;
  self->summary.unfair_rounds += trace->plan_rounds;
}

void exploration_note_computing(struct exploration *self, const struct reply *reply) {
  const struct trace *trace = reply->trace.record;
  if (!was_cut(trace)) return;
  if (self->n_computing++ == 0) self->computing = *trace;
  self->summary.computing = &self->computing;
  if (self->n_computing >= MOST_COMPUTING && !self->settings->keep_going) exploration_stop(self, REASON_COMPUTES);
}

/* The run left its plan, or ended by itself before the plan did. */
bool exploration_has_diverged(const struct reply *reply) {
  const struct trace *trace = reply->trace.record;
  const enum outcome_class class = outcome_row(trace->outcome)->class;
  const uint32_t n_optional = reply->plan->flags & PLAN_TRY_LAST ? 1 : 0;
  const bool is_short = class == OUTCOME_FINE && trace->n_steps + n_optional < reply->plan->n_steps;
  return class == OUTCOME_INTERNAL || (is_short && !(reply->plan->flags & PLAN_LENIENT));
}

/* A run that vanished or left its plan may have had an accident from outside: it gets a second chance in a new process.
 * Not so a plan of several runs: those before the lost one have already been counted. */
bool exploration_deserves_repetition(const struct exploration *self, const struct reply *reply) {
  const bool is_lost = reply->trace.record->outcome == OUTCOME_VANISHED || exploration_has_diverged(reply);
  return is_lost && !self->restart && reply->plan_done && reply->plan->runs == 1 &&
         self->repeated_ticket != reply->ticket + 1;
}

void exploration_note_divergence(struct exploration *self) {
  self->summary.divergences++;
  exploration_note_incomplete(self, REASON_DIFFERENT);
  exploration_warn(
      self, "the program behaves differently when repeated: it depends on something that heddle does not control");
}

void exploration_judge(struct exploration *self, const struct reply *reply) {
  const enum outcome_class class = outcome_row(reply->trace.record->outcome)->class;
  const bool was_repeated = self->repeated_ticket == reply->ticket + 1;
  if (exploration_has_diverged(reply))
    exploration_note_divergence(self);
  else if (class == OUTCOME_BUG)
    exploration_examine(self, reply);
  else if (was_repeated)
    exploration_warn(
        self, self->repeated_as_diverged
                  ? "a run did not follow its plan, but did when repeated in a new process"
                  : "a run was lost, but ended well when repeated: did something outside heddle kill its process?");
}

/* Only what the order of the traces decides: a process that works ahead may already have learned more. */
bool exploration_has_learned(const struct exploration *self, const struct reply *reply) {
  if (reply->trace.record->flags & TRACE_SHARED_GREW) return true;
  if (lane_isolation(self->lane) != self->isolation) return true;
  const bool at_rest = lane_outstanding(self->lane) == 0 || !lane_is_alive(self->lane);
  return at_rest && knowledge_shared(lane_knowledge(self->lane)) != knowledge_shared(self->known);
}

void exploration_check_knowledge(struct exploration *self) {
  if (!lane_is_damaged(self->lane)) return;
  exploration_note_incomplete(self, REASON_DAMAGED);
  exploration_warn(self, "something wrote over the memory that heddle shares with the program");
}

void exploration_remember_knowledge(struct exploration *self) {
  exploration_check_knowledge(self);
  knowledge_copy_threads(self->known, lane_knowledge(self->lane));
  knowledge_copy_shared(self->known, lane_knowledge(self->lane));
  knowledge_copy_warnings(self->known, lane_knowledge(self->lane));
  self->isolation = lane_isolation(self->lane);
}

void exploration_restore_knowledge(struct exploration *self) {
  exploration_check_knowledge(self);
  lane_load_knowledge(self->lane);
}
