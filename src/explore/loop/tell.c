/* SPDX-License-Identifier: MIT
 *
 * Telling the observers how an exploration goes, and seeing when its time is over.
 */
#include "explore/loop/internal.h"

#include "explore/executor/knowledge.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_SECONDS 0.1
#define DRAIN_SECONDS 1.0
#define REPLIES_PER_LOOK_AT_CLOCK 16
#define TRACE_BYTES_PER_LOOK_AT_MEMORY (1u << 20)

/* --- in order --- */

void exploration_note_incomplete(struct exploration *self, enum reason reason) {
  if (self->notices.count > 0)
    vector_push(&self->notices, ((struct notice){.reason = reason}));
  else if (!self->reason)
    self->reason = reason;
}

static void tell_observers(const struct exploration *self, const char *message) {
  for (size_t i = 0; i < self->n_observers; i++)
    if (self->observers[i].warning) self->observers[i].warning(self->observers[i].self, message);
}

static void tell_warning(struct exploration *self, const char *message) {
  for (size_t i = 0; i < self->warnings.count; i++)
    if (strcmp(self->warnings.items[i], message) == 0) return;
  vector_push(&self->warnings, memory_copy_string(message));
  tell_observers(self, message);
}

void exploration_warn(struct exploration *self, const char *message) {
  if (self->notices.count > 0)
    vector_push(&self->notices, ((struct notice){.warning = memory_copy_string(message)}));
  else
    tell_warning(self, message);
}

void exploration_expect_verdict(struct exploration *self) {
  vector_push(&self->notices, (struct notice){0});
}

static void tell_notice(struct exploration *self, const char *warning, enum reason reason) {
  if (warning) tell_warning(self, warning);
  if (!self->reason) self->reason = reason;
}

static bool is_verdict(const struct notice *notice) {
  return !notice->warning && !notice->reason;
}

void exploration_tell_verdict(struct exploration *self, const char *warning, enum reason reason) {
  size_t told = 1; /* the verdict itself */
  tell_notice(self, warning, reason);
  for (; told < self->notices.count && !is_verdict(&self->notices.items[told]); told++) {
    tell_notice(self, self->notices.items[told].warning, self->notices.items[told].reason);
    free(self->notices.items[told].warning);
  }
  self->notices.count -= told;
  memmove(self->notices.items, self->notices.items + told, self->notices.count * sizeof *self->notices.items);
}

void exploration_forget_notices(struct exploration *self) {
  for (size_t i = 0; i < self->notices.count; i++) free(self->notices.items[i].warning);
  vector_free(&self->notices);
}

/* --- telling --- */

void exploration_take_account(struct exploration *self) {
  const struct strategy *strategy = self->settings->strategy;
  if (self->strategy && strategy->account && !self->has_account) strategy->account(self->strategy, &self->account);
  self->has_account = true;
}

static void update_summary(struct exploration *self) {
  struct summary *summary = &self->summary;
  struct strategy_stats stats = {0};
  if (self->strategy) self->settings->strategy->stats(self->strategy, &stats);
  summary->events = stats.events;
  summary->blocked_runs = stats.blocked_runs;
  summary->left = stats.left;
  summary->seconds = clock_seconds() - self->started_at;
  summary->threads = knowledge_most_threads(lane_knowledge(self->lane));
  summary->coverage = stats.coverage ? stats.coverage : lane_coverage(self->lane);
  summary->warnings = (const char *const *)self->warnings.items;
  summary->n_warnings = self->warnings.count;
  summary->reason = self->reason;
  exploration_summarise_inputs(self);
  exploration_summarise_estimates(self, &stats);
  summary->account = &self->account;
}

static void tell_progress(struct exploration *self) {
  update_summary(self);
  for (size_t i = 0; i < self->n_observers; i++)
    if (self->observers[i].progress) self->observers[i].progress(self->observers[i].self, &self->summary);
}

void exploration_tell_bug(struct exploration *self, const struct finding *finding) {
  for (size_t i = 0; i < self->n_observers; i++)
    if (self->observers[i].bug) self->observers[i].bug(self->observers[i].self, finding);
}

void exploration_tell_again(struct exploration *self) {
  for (size_t i = 0; i < self->warnings.count; i++) tell_observers(self, self->warnings.items[i]);
  for (size_t i = 0; i < self->findings.list.count; i++) exploration_tell_bug(self, self->findings.list.items[i]);
}

void exploration_tell_path(struct exploration *self, const struct trace_view *trace) {
  for (size_t i = 0; i < self->n_observers; i++)
    if (self->observers[i].path) self->observers[i].path(self->observers[i].self, trace);
}

void exploration_tell_end(struct exploration *self) {
  update_summary(self);
  const struct strategy *strategy = self->settings->strategy;
  exploration_take_account(self);
  if (self->strategy && strategy->part) self->summary.part = strategy->part(self->strategy);
  if (self->strategy && strategy->net) self->summary.net = strategy->net(self->strategy);
  self->summary.terms = self->inputs;
  for (size_t i = 0; i < self->n_observers; i++)
    if (self->observers[i].end) self->observers[i].end(self->observers[i].self, &self->summary);
}

/* --- limits --- */

void exploration_stop(struct exploration *self, enum reason reason) {
  exploration_note_incomplete(self, reason);
  if (!self->stop) self->stopped_at = clock_seconds();
  self->stop = true;
}

void exploration_look_at_clock(struct exploration *self) {
  self->replies_until_clock = REPLIES_PER_LOOK_AT_CLOCK;
  const double now = clock_seconds();
  if (deadline_is_over_now(&self->deadline)) {
    exploration_stop(self, *self->settings->interrupted ? REASON_INTERRUPTED : REASON_MAX_TIME);
    self->hurry = true;
  }
  if (exploration_is_examining(self)) self->stopped_at = now; /* what is outstanding has at least that much time */
  if (self->stop && now - self->stopped_at > DRAIN_SECONDS) self->hurry = true;
  if (now - self->progress_at < PROGRESS_SECONDS) return;
  self->progress_at = now;
  tell_progress(self);
}

/* --- memory --- */

static uint64_t bytes_in_use(void) {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void exploration_start_watching_memory(struct exploration *self) {
  self->memory_at_start = bytes_in_use();
}

/* Looked at after so much was read, not after so much time: the same seed stops at the same place. */
void exploration_look_at_memory(struct exploration *self, const struct reply *reply) {
  self->bytes_since_memory += reply->trace.record->size_bytes;
  if (self->bytes_since_memory < TRACE_BYTES_PER_LOOK_AT_MEMORY) return;
  exploration_check_memory(self);
}

static bool has_outgrown(const struct exploration *self) {
  const uint64_t most = (uint64_t)self->settings->executor.max_memory_mb << 20, now = bytes_in_use();
  return most && now > self->memory_at_start && now - self->memory_at_start > most;
}

void exploration_check_memory(struct exploration *self) {
  self->bytes_since_memory = 0;
  if (!has_outgrown(self)) return;
  exploration_settle(self); /* what an examination takes depends on how far it is */
  if (has_outgrown(self)) exploration_stop(self, REASON_MEMORY);
}
