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
#include "explore/executor/executor.h"

#include "base/text.h"
#include "explore/executor/journal.h"
#include "explore/executor/knowledge.h"
#include "explore/executor/lost_run.h"
#include "explore/executor/process.h"
#include "explore/executor/ring.h"
#include "trace/tables.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_IN_FLIGHT 512u
#define MOST_WITH_JOURNAL 16u
#define MANY_IN_FLIGHT 64u /* enough to do for a while */
#define MAX_STARTS 3
#define HANG_SIGNAL (SIGRTMAX - 1) /* one that programs leave alone */
#define GRACE_MILLISECONDS 2000
#define SLICE_MILLISECONDS 10
#define PATIENCE_MILLISECONDS 200
#define FINISH_MILLISECONDS 100
#define REST_MILLISECONDS 1000
#define PAGE_BYTES 4096u

/* Of a channel's header, before what the process writes there. */
#define SETTINGS_BYTES offsetof(struct channel, heartbeat)

struct slot {
  struct plan *plan;
  size_t capacity_bytes;
};

struct executor {
  struct executor_settings settings;
  enum isolation isolation;
  int channel_file;
  struct channel *channel;
  struct channel header; /* as it was when the process was started */
  uint64_t channel_bytes, knowledge_offset, coverage_offset;
  bool is_damaged; /* something has written over what the channel keeps for all runs */
  struct knowledge *knowledge;
  struct observations *observations;
  struct ring_end plans, traces;
  struct slot slots[MAX_IN_FLIGHT];
  uint64_t first, sent, end;
  uint32_t traces_of_plan; /* received for the plan `first` */
  struct text record;      /* the trace of the last reply */
  uint8_t *covered;
  struct journal *journal; /* NULL: none */
  bool was_alive;          /* when the reply that was read from the journal came */
  bool has_dropped;        /* plans that may have been run */
  bool is_holding;         /* no plan is sent any more */
  pid_t pid;
  bool has_answered; /* this process has finished a plan */
  bool is_cautious;  /* the isolation was changed: what is conditional waits until the plan `first` is over */
  bool left_traces;  /* the process has ended, and traces that it wrote before may still lie in the ring */
  int end_status;    /* of that process */
  int failed_starts;
  const char *const *debugger; /* NULL: none */
  int complaints;              /* a file with what the process says in its last attempt to start; -1 = none */
  uint64_t peak_rss_kb;
  uint64_t heartbeat;
  int64_t progress_at;  /* when the heartbeat last changed */
  int64_t signalled_at; /* when the hang signal was sent; 0 = not */
};

static int64_t now_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* --- the channel --- */

static uint64_t round_to_page(uint64_t bytes) {
  return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

/* Room for the longest trace: its events, some that are not steps, and what follows them. */
static uint64_t longest_trace_bytes(const struct executor_settings *settings) {
  const uint64_t term_bytes = sizeof(struct term_record) + sizeof(struct decision) + sizeof(struct input_record) +
                              sizeof(struct input_value) + sizeof(struct access);
  return (1u << 20) + ADDITION_BYTES + 2 * settings->coverage_bytes * sizeof(uint32_t) +
         (settings->max_terms ? 1u << 16 : 0) + settings->max_events * (uint64_t)(sizeof(struct event) + 8) +
         settings->max_terms * term_bytes;
}

static void lay_out_channel(struct executor *executor) {
  const struct executor_settings *settings = &executor->settings;
  executor->knowledge_offset = round_to_page(sizeof(struct channel));
  executor->coverage_offset = executor->knowledge_offset + round_to_page(sizeof(struct process_knowledge));
  const uint64_t plans_offset = executor->coverage_offset + round_to_page(coverage_room(settings->coverage_bytes) + 1);
  executor->plans.size_bytes = round_to_page((1u << 20) + 4 * settings->max_events * sizeof(struct step) +
                                             2 * settings->max_terms * sizeof(struct input_value));
  const uint64_t traces_offset = plans_offset + executor->plans.size_bytes;
  executor->traces.size_bytes = round_to_page(4 * longest_trace_bytes(settings));
  executor->channel_bytes = traces_offset + executor->traces.size_bytes;
}

static bool create_channel(struct executor *executor, struct error *error) {
  lay_out_channel(executor);
  executor->channel_file = memfd_create("heddle-channel", MFD_ALLOW_SEALING);
  if (executor->channel_file < 0 || ftruncate(executor->channel_file, (off_t)executor->channel_bytes) < 0)
    return error_set_errno(error, "cannot make %llu bytes of shared memory",
                           (unsigned long long)executor->channel_bytes);
  /* The program must not be able to take the memory away from under us. */
  fcntl(executor->channel_file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  void *memory = mmap(NULL, executor->channel_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, executor->channel_file, 0);
  if (memory == MAP_FAILED) return error_set_errno(error, "cannot map shared memory");
  executor->channel = memory;
  executor->traces.bytes = (char *)memory + executor->channel_bytes - executor->traces.size_bytes;
  executor->plans.bytes = executor->traces.bytes - executor->plans.size_bytes;
  executor->plans.ring = &executor->channel->plans;
  executor->traces.ring = &executor->channel->traces;
  return true;
}

/* Before every start: whatever the last process left in the header is gone. */
static void reset_channel(struct executor *executor) {
  struct channel *channel = executor->channel;
  memset(channel, 0, sizeof *channel);
  channel->generation = executor->header.generation + 1;
  channel->magic = HEDDLE_CHANNEL_MAGIC;
  channel->version = HEDDLE_PROTOCOL_VERSION;
  channel->size_bytes = executor->channel_bytes;
  channel->knowledge_offset = executor->knowledge_offset;
  channel->coverage_offset = executor->coverage_offset;
  channel->coverage_bytes = executor->settings.coverage_bytes;
  channel->plan_ring_offset = (uint64_t)(executor->plans.bytes - (char *)channel);
  channel->plan_ring_bytes = executor->plans.size_bytes;
  channel->trace_ring_offset = (uint64_t)(executor->traces.bytes - (char *)channel);
  channel->trace_ring_bytes = executor->traces.size_bytes;
  channel->isolation = executor->isolation;
  channel->options = executor->settings.options;
  channel->max_memory_mb = executor->settings.max_memory_mb;
  channel->max_terms = executor->settings.max_terms;
  channel->symbolic_arguments = executor->settings.symbolic_arguments;
  channel->symbolic_argument_bytes = executor->settings.symbolic_argument_bytes;
  channel->symbolic_stdin_bytes = executor->settings.symbolic_stdin_bytes;
  channel->hang_signal = HANG_SIGNAL;
  channel->largest_run = executor->settings.max_events;
  memcpy(&executor->header, channel, SETTINGS_BYTES);
  executor->plans.position = executor->traces.position = 0;
}

struct executor *executor_create(const struct executor_settings *settings, struct error *error) {
  struct executor *executor = memory_allocate(sizeof *executor);
  executor->settings = *settings;
  executor->isolation = settings->isolation;
  executor->covered = memory_allocate(settings->coverage_bytes);
  executor->knowledge = memory_allocate(sizeof *executor->knowledge);
  executor->observations = memory_allocate(sizeof *executor->observations);
  executor->channel_file = executor->complaints = -1;
  if (create_channel(executor, error)) return executor;
  executor_destroy(executor);
  return NULL;
}

/* --- the process --- */

static struct process_knowledge *process_knowledge(const struct executor *executor) {
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
  knowledge_load(process_knowledge(executor), executor->knowledge);
  memcpy(process_coverage(executor), executor->covered, executor->settings.coverage_bytes);
}

/* A child of the program may say it at any time, so it is in no trace. */
static void note_child_threads(struct executor *executor) {
  const site_id site = atomic_load(&process_knowledge(executor)->known.child_thread_site);
  if (site) atomic_store(&executor->knowledge->child_thread_site, site);
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
  reset_channel(executor);
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
  if (executor->channel) note_child_threads(executor);
  if (!executor->pid) return;
  atomic_store(&executor->channel->stopping, 1);
  ring_wake_reader(&executor->plans);
  if (!process_wait(executor->pid, PATIENCE_MILLISECONDS, &end)) {
    kill_process(executor);
    return;
  }
  process_signal_group(executor->pid, SIGKILL);
  forget_process(executor, &end);
  note_child_threads(executor);
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

/* What was sent is answered, and nothing writes to the knowledge. */
static bool is_at_rest(const struct executor *executor) {
  return !executor->left_traces && (!executor->pid || executor->first == executor->sent);
}

/* With a journal only so much is at the process that it comes to rest soon, and then nothing until it has. */
static bool may_send(const struct executor *executor) {
  if (!executor->journal) return true;
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

static void finish_plan(struct executor *executor) {
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

/* Takes what the trace adds to what is known; false: it does not fit. */
static bool take_additions(struct executor *executor, const struct trace_view *trace) {
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
  if (lost->process && !take_additions(executor, &reply->trace)) executor->is_damaged = true;
  reply->plan = plan;
  reply->plan_done = true;
  reply->damaged = false;
  finish_plan(executor);
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
  if (!answers(&reply->trace, reply->plan) || !take_additions(executor, &reply->trace)) return RING_DAMAGED;
  executor->traces_of_plan++;
  reply->damaged = false;
  reply->plan_done = ends_plan(executor, reply->plan, reply->trace.record);
  if (reply->plan_done) finish_plan(executor);
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
                                  .message = "the program wrote over the memory it shares with heddle"};
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
                           .process = process_knowledge(executor),
                           .covered = process_coverage(executor),
                           .covered_before = executor->covered,
                           .coverage_bytes = executor->settings.coverage_bytes};
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
  const pid_t pid = executor->pid;
  if (!process_has_ended(pid, &end) && !end_if_hanging(executor, &end)) return RECEPTION_NOTHING;
  process_signal_group(pid, SIGKILL);
  forget_process(executor, &end);
  executor->left_traces = true;
  executor->end_status = end.status;
  return clear_up(executor, reply, error);
}

static enum reception receive(struct executor *executor, int timeout_milliseconds, struct reply *reply,
                              struct error *error) {
  for (int waited = 0;; waited += SLICE_MILLISECONDS) {
    if (executor->first == executor->end) return RECEPTION_NOTHING;
    const enum reception left = executor->left_traces ? clear_up(executor, reply, error) : RECEPTION_NOTHING;
    if (left != RECEPTION_NOTHING) return left;
    if (executor->first == executor->end) return RECEPTION_NOTHING;
    if (!executor->pid && !start_process(executor, error)) return RECEPTION_FAILED;
    send_plans(executor);
    if (take_reply(executor, reply)) return RECEPTION_REPLY;
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

/* --- the journal --- */

void executor_keep_journal(struct executor *executor, struct journal *journal) {
  executor->journal = journal;
  executor_load_knowledge(executor); /* as the first process did: what replies add is added to it */
}

static void write_checkpoint(struct executor *executor) {
  executor_end_process(executor);
  if (executor->is_damaged)
    journal_give_up(executor->journal, "the program wrote over the memory it shares with heddle");
  journal_write_checkpoint(executor->journal, process_knowledge(executor));
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
  const struct plan *plan = slot_of(executor, executor->first)->plan;
  if (!trace_open(&reply->trace, (const struct trace *)executor->record.string, executor->record.length) ||
      reply->trace.record->ticket != plan->ticket || kept->plan_hash != journal_hash_plan(plan) ||
      !take_additions(executor, &reply->trace))
    return error_set(error, "the saved exploration does not go on as it did: it has to be explored anew");
  reply->plan = plan;
  reply->plan_done = kept->plan_done;
  reply->damaged = kept->damaged;
  executor->isolation = (enum isolation)kept->isolation;
  executor->was_alive = kept->is_alive;
  if (reply->plan_done) finish_plan(executor);
  executor->sent = executor->first;
  return true;
}

static enum reception read_reply(struct executor *executor, struct reply *reply, struct error *error) {
  struct journal_reply kept;
  switch (journal_read(executor->journal, &kept, &executor->record, process_knowledge(executor))) {
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
    journal_read(executor->journal, &unused, &executor->record, process_knowledge(executor));
    return;
  }
  if (!executor->has_dropped && is_at_rest(executor)) write_checkpoint(executor);
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
  if (!executor->journal || journal_is_reading(executor->journal)) return is_at_rest(executor);
  executor->is_holding = true;
  while (!is_at_rest(executor) && now_milliseconds() - start < REST_MILLISECONDS) {
    struct reply reply;
    if (receive(executor, SLICE_MILLISECONDS, &reply, NULL) != RECEPTION_REPLY) continue;
    if (may_be_repeated(&reply)) return false;
    write_reply(executor, &reply);
  }
  return is_at_rest(executor);
}

void executor_drop_plans(struct executor *executor) {
  if (executor->first == executor->end) return;
  executor->has_dropped |= !comes_to_rest(executor);
  executor_end_process(executor);
  executor->left_traces = false;
  executor->first = executor->sent = executor->end;
  executor->is_holding = false;
}

enum reception executor_receive(struct executor *executor, int timeout_milliseconds, struct reply *reply,
                                struct error *error) {
  struct journal *const journal = executor->journal;
  if (!journal) return receive(executor, timeout_milliseconds, reply, error);
  if (executor->first == executor->end) return RECEPTION_NOTHING;
  if (journal_is_reading(journal)) return read_reply(executor, reply, error);
  if (journal_is_due(journal) && is_at_rest(executor)) write_checkpoint(executor);
  const enum reception reception = receive(executor, timeout_milliseconds, reply, error);
  if (reception == RECEPTION_REPLY) write_reply(executor, reply);
  return reception;
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
  return executor->is_damaged || !knowledge_is_sound(&process_knowledge(executor)->known);
}

enum isolation executor_isolation(const struct executor *executor) {
  return executor->isolation;
}

uint64_t executor_peak_rss_kb(const struct executor *executor) {
  return executor->peak_rss_kb;
}
