/* SPDX-License-Identifier: MIT
 *
 * The queue of plans in flight is a ring of slots, counted from the beginning of time:
 *
 *     first ........... sent ............. end
 *     in the process    still to be sent
 *
 * The slot's number is the plan's ticket. When a process ends, `sent` goes back to `first`, and the next process gets
 * the same plans again.
 *
 * States of the process: none (pid 0) -> starting (nothing answered yet) -> working -> none. A process that ends while
 * it starts is tried again a few times; then the program cannot be run.
 */
#include "explore/executor/executor_internal.h"

#include "explore/executor/journal.h"
#include "explore/executor/knowledge.h"
#include "explore/executor/lost_run.h"
#include "explore/executor/process.h"
#include "trace/tables.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_WITH_JOURNAL 16u
#define MANY_IN_FLIGHT 32u /* enough to do for a while */
#define MAX_STARTS 3
#define GRACE_MILLISECONDS 2000
#define PATIENCE_MILLISECONDS 200
#define FINISH_MILLISECONDS 100

/* --- the whole --- */

struct executor *executor_create(const struct executor_settings *settings, struct error *error) {
  struct executor *executor = memory_allocate(sizeof *executor);
  executor->settings = *settings;
  executor->isolation = settings->isolation;
  executor->covered = memory_allocate(settings->coverage_bytes);
  executor->knowledge = memory_allocate(sizeof *executor->knowledge);
  executor->observations = memory_allocate(sizeof *executor->observations);
  executor->channel_file = executor->complaints = -1;
  if (executor_create_channel(executor, error)) return executor;
  executor_destroy(executor);
  return NULL;
}

/* --- the process --- */

struct process_knowledge *executor_process_knowledge(const struct executor *executor) {
  return channel_at(executor->channel, executor->knowledge_offset);
}

static uint8_t *process_coverage(const struct executor *executor) {
  return channel_at(executor->channel, executor->coverage_offset);
}

static void check_coverage(struct executor *executor) {
  const uint8_t *bytes = process_coverage(executor);
  for (uint32_t i = 0; i < executor->settings.coverage_bytes; i++) executor->is_damaged |= bytes[i] > 1;
}

void executor_load_knowledge(struct executor *executor) {
  knowledge_load(executor_process_knowledge(executor), executor->knowledge);
  memcpy(process_coverage(executor), executor->covered, executor->settings.coverage_bytes);
}

static void note_progress(struct executor *executor) {
  executor->progress_at = now_milliseconds();
  executor->signalled_at = 0;
}

static bool is_last_attempt(const struct executor *executor) {
  return executor->failed_starts == MAX_STARTS - 1;
}

static bool start_process(struct executor *executor, struct error *error) {
  struct process_settings settings = {executor->settings.executable, executor->settings.arguments,
                                      executor->channel_file, executor->settings.output, executor->debugger};
  if (is_last_attempt(executor) && executor->complaints < 0)
    executor->complaints = memfd_create("heddle-complaints", MFD_CLOEXEC);
  if (is_last_attempt(executor)) settings.output = executor->complaints;
  executor_reset_channel(executor);
  executor_load_knowledge(executor);
  executor->sent = executor->first;
  executor->traces_of_plan = 0;
  executor->has_answered = executor->left_traces = false;
  executor->heartbeat = 0;
  note_progress(executor);
  return process_start(&settings, &executor->pid, error);
}

/* The process is gone; its plans go to the next one. */
static void forget_process(struct executor *executor, const struct process_end *end) {
  check_coverage(executor);
  if (end->peak_rss_kb > executor->peak_rss_kb) executor->peak_rss_kb = end->peak_rss_kb;
  executor->pid = 0;
}

/* Ends what is left of the group, too: children of the program would write on into the channel. */
static void kill_process(struct executor *executor) {
  const struct process_end end = process_kill(executor->pid);
  forget_process(executor, &end);
}

/* Lets it end by itself, after its current run. */
void executor_end_process(struct executor *executor) {
  struct process_end end;
  if (!executor->pid) return;
  atomic_store(&executor->channel->stopping, 1);
  ring_wake_reader(&executor->plans);
  if (!process_wait(executor->pid, PATIENCE_MILLISECONDS, &end)) {
    kill_process(executor);
    return;
  }
  forget_process(executor, &end);
}

void executor_destroy(struct executor *executor) {
  executor_end_process(executor);
  if (executor->channel) munmap(executor->channel, executor->channel_bytes);
  if (executor->channel_file >= 0) close(executor->channel_file);
  if (executor->complaints >= 0) close(executor->complaints);
  for (size_t i = 0; i < MAX_IN_FLIGHT; i++) free(executor->slots[i].plan);
  text_free(&executor->record);
  free(executor->covered);
  free(executor->knowledge);
  free(executor->observations);
  free(executor);
}

/* --- plans --- */

static struct slot *slot_of(struct executor *executor, uint64_t ticket) {
  return &executor->slots[ticket % MAX_IN_FLIGHT];
}

const struct plan *executor_oldest_plan(struct executor *executor) {
  return slot_of(executor, executor->first)->plan;
}

const struct plan *executor_plan_at(struct executor *executor, uint64_t ticket) {
  BUG_ON(ticket < executor->first || ticket >= executor->end);
  return slot_of(executor, ticket)->plan;
}

static void make_room(struct slot *slot, size_t size_bytes) {
  if (slot->capacity_bytes >= size_bytes) return;
  slot->capacity_bytes = 2 * size_bytes;
  slot->plan = memory_resize(slot->plan, slot->capacity_bytes);
}

void executor_submit(struct executor *executor, const struct plan *plan, const struct step *steps, size_t n_steps,
                     const struct input_value *inputs, size_t n_inputs) {
  BUG_ON(executor_in_flight(executor) + 1 >= MAX_IN_FLIGHT);
  BUG_ON(n_steps > executor->settings.max_events || plan->runs == 0);
  if (n_inputs > executor->settings.max_terms) n_inputs = executor->settings.max_terms; /* a run has no room for more */
  struct slot *slot = slot_of(executor, executor->end);
  const size_t inputs_at = sizeof *plan + plan_steps_bytes((uint32_t)n_steps);
  const size_t size_bytes = inputs_at + n_inputs * sizeof *inputs;
  make_room(slot, size_bytes);
  *slot->plan = *plan;
  slot->plan->size_bytes = (uint32_t)size_bytes;
  slot->plan->form = RECORD_PLAN;
  slot->plan->ticket = executor->end;
  slot->plan->version = executor->knowledge->version;
  slot->plan->n_steps = (uint32_t)n_steps;
  slot->plan->n_inputs = (uint32_t)n_inputs;
  slot->plan->n_sleepers = 0;
  slot->plan->max_events = executor->settings.max_events;
  if (n_steps > 0) memcpy(slot->plan + 1, steps, n_steps * sizeof *steps);
  if (n_inputs > 0) memcpy((char *)slot->plan + inputs_at, inputs, n_inputs * sizeof *inputs);
  if (executor->first == executor->end) note_progress(executor);
  executor->end++;
}

void executor_add_sleepers(struct executor *executor, const struct event *sleepers, size_t count) {
  BUG_ON(executor->sent == executor->end || count > MAX_SLEEPERS);
  struct slot *slot = slot_of(executor, executor->end - 1);
  BUG_ON(slot->plan->n_sleepers > 0);
  BUG_ON(slot->plan->record_from >= slot->plan->n_steps && !(slot->plan->flags & PLAN_WAITS));
  const size_t at = slot->plan->size_bytes, size_bytes = at + count * sizeof *sleepers;
  make_room(slot, size_bytes);
  memcpy((char *)slot->plan + at, sleepers, count * sizeof *sleepers);
  slot->plan->size_bytes = (uint32_t)size_bytes;
  slot->plan->n_sleepers = (uint32_t)count;
}

size_t executor_in_flight(const struct executor *executor) {
  return executor->end - executor->first;
}

bool executor_is_at_rest(const struct executor *executor) {
  return !executor->left_traces && (!executor->pid || executor->first == executor->sent);
}

/* With a journal only so much is at the process that it comes to rest soon, and then nothing until it has. */
static bool may_send(const struct executor *executor) {
  if (!executor->journal) return true;
  if (executor->held_from && executor->sent >= executor->held_from) return false;
  return !executor->is_holding && executor->sent - executor->first < MOST_WITH_JOURNAL &&
         !journal_is_due(executor->journal);
}

static void send_plans(struct executor *executor) {
  while (executor->sent < executor->end && may_send(executor)) {
    struct plan *plan = slot_of(executor, executor->sent)->plan;
    if (executor->is_cautious && plan->flags & PLAN_CONDITIONAL) return;
    plan->check = record_check(plan, plan->size_bytes, executor->header.generation);
    if (!ring_write(&executor->plans, plan, plan->size_bytes)) return;
    executor->sent++;
  }
}

/* While there are replies to take, plans are sent several at a time: a process that is done with its plans sleeps, and
 * being woken for every single one costs it and the engine more than the runs do. */
static bool is_worth_sending(const struct executor *executor) {
  return 2 * (executor->end - executor->sent) >= executor->end - executor->first;
}

void executor_repeat(struct executor *executor) {
  BUG_ON(executor->first == 0);
  executor_end_process(executor);
  executor->left_traces = executor->was_alive = false;
  executor->first--;
}

void executor_skip_conditional(struct executor *executor) {
  while (executor->first < executor->end && slot_of(executor, executor->first)->plan->flags & PLAN_CONDITIONAL)
    executor->first++;
  if (executor->sent < executor->first) executor->sent = executor->first;
}

bool executor_is_alive(const struct executor *executor) {
  return executor->pid != 0 || executor->was_alive;
}

/* --- traces --- */

void executor_end_oldest_plan(struct executor *executor) {
  executor->first++;
  executor->traces_of_plan = 0;
  executor->is_cautious = false;
  executor->has_answered = true;
  executor->failed_starts = 0;
}

/* A plan is over with the trace that says so, or with as many traces as it has runs. */
static bool ends_plan(const struct executor *executor, const struct plan *plan, const struct trace *trace) {
  return trace->flags & TRACE_PLAN_DONE || executor->traces_of_plan >= plan->runs;
}

bool executor_take_additions(struct executor *executor, const struct trace_view *trace) {
  const uint32_t count = trace->record->adds.n_covered;
  for (uint32_t i = 0; i < count; i++)
    if (trace->adds.covered[i] >= executor->settings.coverage_bytes) return false;
  if (!knowledge_take(executor->knowledge, executor->observations, trace)) return false;
  for (uint32_t i = 0; i < count; i++) executor->covered[trace->adds.covered[i]] = 1;
  return true;
}

static void lose_run(struct executor *executor, const struct lost_run *lost, struct reply *reply) {
  const struct plan *plan = slot_of(executor, executor->first)->plan;
  lost_run_write(&executor->record, lost, plan, executor->channel, executor->traces.bytes, executor->traces.size_bytes);
  BUG_ON(!trace_open(&reply->trace, (const struct trace *)executor->record.string, executor->record.length));
  if (lost->process && !executor_take_additions(executor, &reply->trace)) executor->is_damaged = true;
  reply->plan = plan;
  reply->plan_done = true;
  reply->damaged = false;
  executor_end_oldest_plan(executor);
}

static bool answers(const struct trace_view *view, const struct plan *plan) {
  return view->record->ticket == plan->ticket && view->record->run < plan->runs;
}

/* Runs with other settings than ours mean nothing; they stay as they are until the next process is started. */
static bool settings_are_sound(const struct executor *executor) {
  return memcmp(executor->channel, &executor->header, SETTINGS_BYTES) == 0;
}

/* Copies the next trace out of the ring and checks the copy: the process may still write. */
static enum ring_answer take_trace(struct executor *executor, struct reply *reply) {
  const void *record;
  uint32_t size_bytes;
  const enum ring_answer answer = ring_peek(&executor->traces, &record, &size_bytes);
  if (answer != RING_READY) return answer;
  if (executor->first == executor->sent) return RING_DAMAGED;
  text_clear(&executor->record);
  text_append_bytes(&executor->record, record, size_bytes);
  ring_take(&executor->traces, size_bytes);
  reply->plan = slot_of(executor, executor->first)->plan;
  const struct trace *trace = (const struct trace *)executor->record.string;
  if (!settings_are_sound(executor)) return RING_DAMAGED;
  if (!trace_read(&reply->trace, trace, size_bytes, executor->header.generation)) return RING_DAMAGED;
  if (!answers(&reply->trace, reply->plan) || !executor_take_additions(executor, &reply->trace)) return RING_DAMAGED;
  executor->traces_of_plan++;
  reply->damaged = false;
  reply->plan_done = ends_plan(executor, reply->plan, reply->trace.record);
  if (reply->plan_done) executor_end_oldest_plan(executor);
  return RING_READY;
}

static bool must_fork(const struct executor *executor, const struct reply *reply) {
  return reply->trace.record->flags & TRACE_NEEDS_FORK && executor->isolation == ISOLATION_AUTO;
}

static void switch_to_fork(struct executor *executor, const struct reply *reply) {
  executor->isolation = ISOLATION_FORK;
  executor->is_cautious = true;
  executor->left_traces = false;
  if (reply->plan_done) executor->first--;
  executor_end_process(executor);
}

/* Takes a reply out of the ring if there is one that counts. */
static bool take_reply(struct executor *executor, struct reply *reply) {
  const struct lost_run damage = {.outcome = OUTCOME_VANISHED,
                                  .message = "the program wrote over the memory it shares with heddle",
                                  .newest_shared = executor->knowledge->newest_shared};
  switch (take_trace(executor, reply)) {
  case RING_EMPTY: return false;
  case RING_DAMAGED:
    if (executor->pid) kill_process(executor);
    executor->left_traces = false;
    if (executor->first == executor->end) return false;
    lose_run(executor, &damage, reply);
    reply->damaged = true;
    return true;
  case RING_READY: break;
  }
  if (must_fork(executor, reply)) {
    switch_to_fork(executor, reply);
    return false;
  }
  if (reply->trace.record->flags & TRACE_EXECUTOR_ENDS) executor_end_process(executor);
  return true;
}

/* --- death and silence --- */

/* The runtime says on one line why it cannot control the program. */
static bool has_complaint(const struct executor *executor, struct error *error) {
  static const char start[] = "heddle: ";
  char words[512];
  const ssize_t count = executor->complaints < 0 ? -1 : pread(executor->complaints, words, sizeof words - 1, 0);
  if (count < (ssize_t)sizeof start || memcmp(words, start, sizeof start - 1) != 0) return false;
  words[count] = 0;
  words[strcspn(words, "\n")] = 0;
  error_set(error, "%s: %s", executor->settings.arguments[0], words + sizeof start - 1);
  return true;
}

static bool cannot_start(struct executor *executor, int status, struct error *error) {
  const char *program = executor->settings.arguments[0];
  if (has_complaint(executor, error)) return false;
  if (executor->signalled_at)
    return error_set(error, "%s did not reach main within %u seconds", program, executor->settings.hang_seconds);
  if (WIFSIGNALED(status))
    return error_set(error, "%s was killed by signal %d (%s) before main: does it work outside heddle?", program,
                     WTERMSIG(status), strsignal(WTERMSIG(status)));
  return error_set(error, "%s exited with status %d before main: build it with the 'heddle cc' of this version",
                   program, WEXITSTATUS(status));
}

static bool was_running(const struct executor *executor) {
  return atomic_load(&executor->channel->running) && executor->channel->ticket == executor->first &&
         executor->first < executor->sent;
}

static struct lost_run lose(const struct executor *executor, enum outcome outcome, int status, struct text *words) {
  return (struct lost_run){.outcome = outcome,
                           .status = status,
                           .message = text_string(words),
                           .process = executor_process_knowledge(executor),
                           .covered = process_coverage(executor),
                           .covered_before = executor->covered,
                           .coverage_bytes = executor->settings.coverage_bytes,
                           .newest_shared = executor->knowledge->newest_shared};
}

static struct lost_run cause_of(const struct executor *executor, int status, struct text *words) {
  if (executor->signalled_at) {
    text_append_format(words, "no visible operation for %u seconds", executor->settings.hang_seconds);
    return lose(executor, OUTCOME_COMPUTES, 0, words);
  }
  if (WIFSIGNALED(status)) {
    text_append_format(words, "the process was killed by signal %d (%s)", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
    return lose(executor, OUTCOME_VANISHED, WTERMSIG(status), words);
  }
  text_append_format(words, "the process ended with status %d without heddle seeing it", WEXITSTATUS(status));
  return lose(executor, OUTCOME_VANISHED, WEXITSTATUS(status), words);
}

/* Every trace that the process wrote is taken. */
static enum reception bury_process(struct executor *executor, int status, struct reply *reply, struct error *error) {
  if (was_running(executor)) {
    struct text words = {0};
    const struct lost_run lost = cause_of(executor, status, &words);
    lose_run(executor, &lost, reply);
    text_free(&words);
    return RECEPTION_REPLY;
  }
  if (!executor->has_answered && ++executor->failed_starts >= MAX_STARTS) {
    cannot_start(executor, status, error);
    return RECEPTION_FAILED;
  }
  return RECEPTION_NOTHING;
}

/* First the traces that a dead process has left: what was run counts already, for what runs observe, and must not be
 * run again. Then the run that it died in. */
static enum reception clear_up(struct executor *executor, struct reply *reply, struct error *error) {
  if (take_reply(executor, reply)) return RECEPTION_REPLY;
  if (!executor->left_traces) return RECEPTION_NOTHING;
  executor->left_traces = false;
  return bury_process(executor, executor->end_status, reply, error);
}

/* No heartbeat for too long: first ask the run to tell where it stands, then end the process. Returns true when it did.
 */
static bool end_if_hanging(struct executor *executor, struct process_end *end) {
  const uint64_t heartbeat = atomic_load(&executor->channel->heartbeat);
  const int64_t now = now_milliseconds();
  if (heartbeat != executor->heartbeat) {
    executor->heartbeat = heartbeat;
    note_progress(executor);
  }
  const int64_t limit = (int64_t)executor->settings.hang_seconds * 1000;
  if (executor->signalled_at == 0) {
    if (now - executor->progress_at < limit) return false;
    executor->signalled_at = now;
    process_signal_group(executor->pid, HANG_SIGNAL);
    return false;
  }
  if (now - executor->signalled_at < GRACE_MILLISECONDS) return false;
  *end = process_kill(executor->pid);
  return true;
}

static enum reception watch_process(struct executor *executor, struct reply *reply, struct error *error) {
  struct process_end end;
  if (!process_has_ended(executor->pid, &end) && !end_if_hanging(executor, &end)) return RECEPTION_NOTHING;
  forget_process(executor, &end);
  executor->left_traces = true;
  executor->end_status = end.status;
  return clear_up(executor, reply, error);
}

enum reception executor_receive_from_process(struct executor *executor, int timeout_milliseconds, struct reply *reply,
                                             struct error *error) {
  for (int waited = 0;; waited += SLICE_MILLISECONDS) {
    if (executor->first == executor->end) return RECEPTION_NOTHING;
    const enum reception left = executor->left_traces ? clear_up(executor, reply, error) : RECEPTION_NOTHING;
    if (left != RECEPTION_NOTHING) return left;
    if (executor->first == executor->end) return RECEPTION_NOTHING;
    if (!executor->pid && !start_process(executor, error)) return RECEPTION_FAILED;
    if (is_worth_sending(executor)) send_plans(executor);
    if (take_reply(executor, reply)) return RECEPTION_REPLY;
    if (executor->pid) send_plans(executor);
    if (waited >= timeout_milliseconds) return RECEPTION_NOTHING;
    if (!executor->pid) continue;
    if (executor_in_flight(executor) >= MANY_IN_FLIGHT) {
      ring_doze(&executor->traces);
      if (take_reply(executor, reply)) return RECEPTION_REPLY;
      if (!executor->pid) continue;
    }
    ring_wait(&executor->traces, timeout_milliseconds < SLICE_MILLISECONDS ? timeout_milliseconds : SLICE_MILLISECONDS);
    if (take_reply(executor, reply)) return RECEPTION_REPLY;
    if (!executor->pid) continue;
    const enum reception reception = watch_process(executor, reply, error);
    if (reception != RECEPTION_NOTHING) return reception;
  }
}

bool executor_finish_plan(struct executor *executor, struct reply *reply, struct error *error) {
  for (;;) {
    if (deadline_is_over_now(executor->settings.deadline)) return error_set(error, "time was up before the run ended");
    const enum reception reception = executor_receive(executor, FINISH_MILLISECONDS, reply, error);
    if (reception == RECEPTION_FAILED) return false;
    if (reception == RECEPTION_REPLY && reply->plan_done) return true;
  }
}

bool executor_debug(struct executor *executor, const char *const *command, int *status, struct error *error) {
  executor->debugger = command;
  if (!start_process(executor, error)) return false;
  send_plans(executor);
  const struct process_end end = process_await(executor->pid);
  forget_process(executor, &end);
  *status = WIFEXITED(end.status) ? WEXITSTATUS(end.status) : 128 + WTERMSIG(end.status);
  return true;
}

/* --- what all runs share --- */

struct knowledge *executor_knowledge(struct executor *executor) {
  return executor->knowledge;
}

struct observations *executor_observations(struct executor *executor) {
  return executor->observations;
}

const uint8_t *executor_coverage(struct executor *executor) {
  return executor->covered;
}

bool executor_is_damaged(struct executor *executor) {
  check_coverage(executor);
  return executor->is_damaged || !knowledge_is_sound(&executor_process_knowledge(executor)->known);
}

enum isolation executor_isolation(const struct executor *executor) {
  return executor->isolation;
}

uint64_t executor_peak_rss_kb(const struct executor *executor) {
  return executor->peak_rss_kb;
}
