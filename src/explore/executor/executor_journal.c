/* SPDX-License-Identifier: MIT
 *
 * An executor with a journal (journal.h): replies that the journal has come first, as if a process had sent them. All
 * others are written down as they come.
 */
#include "explore/executor/executor_internal.h"
#include "explore/executor/journal.h"
#include "explore/executor/known_written.h"
#include "trace/tables.h"

#define REST_MILLISECONDS 1000

void executor_keep_journal(struct executor *executor, struct journal *journal) {
  executor->journal = journal;
  executor_load_knowledge(executor); /* as the first process did: what replies add is added to it */
}

/* What the process leaves behind is as it was after the last reply. */
static void come_to_an_end(struct executor *executor) {
  executor_end_process(executor);
  if (executor->is_damaged)
    journal_give_up(executor->journal, "the program wrote over the memory it shares with heddle");
}

static void write_checkpoint(struct executor *executor) {
  come_to_an_end(executor);
  journal_write_checkpoint(executor->journal);
}

static void write_reply(struct executor *executor, const struct reply *reply) {
  const struct journal_reply kept = {.plan_hash = journal_hash_plan(reply->plan),
                                     .isolation = executor->isolation,
                                     .plan_done = reply->plan_done,
                                     .damaged = reply->damaged,
                                     .is_alive = executor->pid != 0};
  journal_write_reply(executor->journal, &kept, &executor->record);
}

/* Makes the reply that was read the reply to the oldest plan. */
static bool take_kept(struct executor *executor, const struct journal_reply *kept, struct reply *reply,
                      struct error *error) {
  const struct plan *plan = executor_oldest_plan(executor);
  if (!trace_open(&reply->trace, (const struct trace *)executor->record.string, executor->record.length) ||
      reply->trace.record->ticket != plan->ticket || kept->plan_hash != journal_hash_plan(plan) ||
      !executor_take_additions(executor, &reply->trace))
    return error_set(error, "the saved exploration does not go on as it did: it has to be explored anew");
  reply->plan = plan;
  reply->plan_done = kept->plan_done;
  reply->damaged = kept->damaged;
  executor->isolation = (enum isolation)kept->isolation;
  executor->was_alive = kept->is_alive;
  if (reply->plan_done) executor_end_oldest_plan(executor);
  executor->sent = executor->first;
  return true;
}

static enum reception read_reply(struct executor *executor, struct reply *reply, struct error *error) {
  struct journal_reply kept;
  switch (journal_read(executor->journal, &kept, &executor->record)) {
  case JOURNAL_REPLY: return take_kept(executor, &kept, reply, error) ? RECEPTION_REPLY : RECEPTION_FAILED;
  case JOURNAL_END: executor->was_alive = false; return RECEPTION_NOTHING;
  case JOURNAL_FAILED: break;
  }
  error_set(error, "the saved exploration cannot be read: it has to be explored anew");
  return RECEPTION_FAILED;
}

void executor_save(struct executor *executor) {
  if (!executor->journal) return;
  if (journal_is_reading(executor->journal)) {
    struct journal_reply unused; /* only when it was stopped earlier than it had been before: then nothing is saved */
    journal_read(executor->journal, &unused, &executor->record);
    return;
  }
  if (!executor->has_dropped && executor_is_at_rest(executor)) write_checkpoint(executor);
}

/* The loop may want to repeat such a run before it continues. */
static bool may_be_repeated(const struct reply *reply) {
  const struct trace *trace = reply->trace.record;
  return trace->outcome == OUTCOME_VANISHED || outcome_row(trace->outcome)->class == OUTCOME_INTERNAL ||
         trace->n_steps < reply->plan->n_steps;
}

/* Gives plans that the process has already got a moment to end. Then what the journal has is what was run, although
 * nobody takes the replies any more. */
static bool comes_to_rest(struct executor *executor) {
  const int64_t start = now_milliseconds();
  if (!executor->journal || journal_is_reading(executor->journal)) return executor_is_at_rest(executor);
  executor->is_holding = true;
  while (!executor_is_at_rest(executor) && now_milliseconds() - start < REST_MILLISECONDS) {
    struct reply reply;
    if (executor_receive_from_process(executor, SLICE_MILLISECONDS, &reply, NULL) != RECEPTION_REPLY) continue;
    if (may_be_repeated(&reply)) return false;
    write_reply(executor, &reply);
  }
  return executor_is_at_rest(executor);
}

void executor_drop_plans(struct executor *executor) {
  if (executor->first == executor->end) return;
  executor->has_dropped |= !comes_to_rest(executor);
  executor_end_process(executor);
  executor->left_traces = false;
  executor->first = executor->sent = executor->end;
  executor->is_holding = false;
  executor->held_from = 0;
}

void executor_hold(struct executor *executor, uint64_t ticket) {
  executor->held_from = ticket;
}

bool executor_is_held(const struct executor *executor) {
  return executor->held_from && executor->first >= executor->held_from;
}

enum reception executor_receive(struct executor *executor, int timeout_milliseconds, struct reply *reply,
                                struct error *error) {
  struct journal *const journal = executor->journal;
  if (!journal) return executor_receive_from_process(executor, timeout_milliseconds, reply, error);
  if (executor->first == executor->end) return RECEPTION_NOTHING;
  if (journal_is_reading(journal)) return read_reply(executor, reply, error);
  if (journal_is_due(journal) && executor_is_at_rest(executor)) write_checkpoint(executor);
  const enum reception reception = executor_receive_from_process(executor, timeout_milliseconds, reply, error);
  if (reception == RECEPTION_REPLY) write_reply(executor, reply);
  return reception;
}

/* --- states --- */

bool executor_wants_state(const struct executor *executor) {
  const struct journal *const journal = executor->journal;
  return journal && !executor->has_dropped && executor_is_at_rest(executor) && journal_is_due(journal) &&
         journal_state_is_due(journal);
}

void executor_save_state(struct executor *executor, const struct text *state) {
  come_to_an_end(executor);
  if (!journal_trouble(executor->journal)) journal_write_state(executor->journal, state);
}

void executor_write_known(const struct executor *executor, struct text *state) {
  written_add_number(state, executor->isolation);
  knowledge_write(executor->knowledge, state);
  observations_write(executor->observations, state);
  coverage_write(executor->covered, executor->settings.coverage_bytes, state);
}

bool executor_read_known(struct executor *executor, uint64_t ticket, struct written *state) {
  BUG_ON(executor->end > 0 || executor->pid);
  executor->first = executor->sent = executor->end = ticket;
  executor->isolation = (enum isolation)written_take_below(state, ISOLATION_FORK + 1);
  const bool good = knowledge_read(executor->knowledge, state) && observations_read(executor->observations, state) &&
                    coverage_read(executor->covered, executor->settings.coverage_bytes, state);
  if (good) executor_load_knowledge(executor);
  return good;
}
