/* SPDX-License-Identifier: MIT
 *
 * How runs end: the process ends, nobody can move, or something went wrong.
 */
#include "ends.h"
#include "abi/sites.h"
#include "awaits.h"

#include "fiber.h"
#include "pipes.h"
#include "process.h"
#include "schedule.h"
#include "signalling.h"
#include "terms.h"
#include "trace.h"

static _Noreturn void end_run(enum outcome outcome, site_id site, uint64_t address, thread_id thread) {
  rehearsal_check();
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (rt->threads[i].state != ABSENT) trace_complete_value(&rt->threads[i]);
  rt->outcome = outcome;
  rt->outcome_site = site;
  rt->outcome_address = address;
  rt->outcome_thread = thread;
  fiber_return_to_root();
}

void finish_late_run(void) {
  if (rt->late.outcome == OUTCOME_NONE) return;
  memcpy(rt->message, rt->late.message, MESSAGE_BYTES);
  end_run(rt->late.outcome, rt->late.site, rt->late.address, rt->late.thread);
}

/* ---- by itself ---- */

static bool somebody_spins(void) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (rt->threads[i].state == AT_OPERATION &&
        (rt->threads[i].spin.parked || rt->threads[i].rests || awaits_wait(&rt->threads[i])))
      return true;
  return false;
}

/* All threads have ended, or one ends the process. */
static _Noreturn void finish_with_status(void) {
  rt->status = rt->exit.status & 0xff; /* what the parent of the process sees of it */
  if (!process_exit_fails(rt->exit.status)) finish_run(OUTCOME_FINISHED, 0, 0);
  attempt_end_run(OUTCOME_EXIT);
  memcpy(rt->message, rt->exit.how, string_length(rt->exit.how) + 1);
  end_run(OUTCOME_EXIT, rt->exit.site, 0, rt->exiting);
}

void finish_stuck_run(void) {
  if (rt->late.outcome != OUTCOME_NONE && process_exit_fails(rt->exit.status)) rt->late.hides = true;
  finish_late_run();
  if (rt->exiting != NO_THREAD || rt->n_live == 0) finish_with_status();
  if (rt->held_back) finish_run(OUTCOME_TOO_MANY_THREADS, self()->operation.site, 0);
  if (children_are_awaited())
    children_stop("a thread waits for a child process, which waits as well", self()->operation.site);
  if (signal_is_awaited()) finish_at_limit("a thread waits for a signal, which nobody but another process can send");
  const struct thread *awaiting = socket_find_awaiting();
  if (awaiting)
    finish_at_limit_at(awaiting->operation.site, "a thread waits at a socket for what only another program can send");
  finish_run(somebody_spins() ? OUTCOME_LIVELOCK : OUTCOME_DEADLOCK, self()->operation.site, self()->operation.address);
}

/* Each of the threads that want to end the process could be the first to do it: none of them waits for another. So one
 * with a status that fails decides how the run ends; of several the one with the lowest id, whatever their order. */
static bool decides_end(const struct thread *thread, int status) {
  if (rt->exiting == NO_THREAD) return true;
  const bool both_fail = process_exit_fails(status) && process_exit_fails(rt->exit.status);
  rt->late.hides |= both_fail;
  return both_fail ? thread->id < rt->exiting : process_exit_fails(status);
}

/* The end of the process takes away what other threads could still have done, so it comes when they cannot. */
void finish_process(struct process_exit end) {
  struct thread *thread = self();
  trace_complete_value(thread);
  trace_record(EVENT_PROCESS_EXIT, (uint32_t)end.status, 0, end.site);
  if (decides_end(thread, end.status)) {
    rt->exiting = thread->id;
    rt->exit = end;
  }
  thread->operation = (struct operation){.kind = EVENT_PROCESS_EXIT};
  thread->state = EXITING;
  schedule_leave();
}

void finish_creating(site_id site) {
  struct thread *thread = self();
  trace_complete_value(thread);
  rt->held_back = true;
  thread->operation = (struct operation){.kind = EVENT_THREAD_CREATE, .site = site};
  thread->state = EXITING;
  schedule_leave();
}

/* ---- with a finding, or at a limit ---- */

/* What the thread says of itself, between its operations. The others continue: to their ends if the plan says so, and
 * otherwise until each of them stands before an operation, as they do wherever a step is chosen. Without that a thread
 * that fails at once would keep those from ever moving that have not reached an operation yet, and what they share with
 * it would never be known. */
static bool can_end_late(enum outcome outcome) {
  return (rt->plan->flags & PLAN_LATE_END || rt->n_local > 0) && !rt->trial &&
         (outcome == OUTCOME_ASSERTION || outcome == OUTCOME_ASSUMPTION_FAILED || outcome == OUTCOME_ERROR_REACHED ||
          outcome == OUTCOME_ABORT || outcome == OUTCOME_EXCEPTION || outcome == OUTCOME_TERMINATED);
}

static void keep_failure(enum outcome outcome, site_id site, uint64_t address) {
  rt->late.hides |= rt->late.outcome != OUTCOME_NONE;
  if (rt->late.hides) return;
  rt->ends_soon = !(rt->plan->flags & PLAN_LATE_END);
  rt->late.outcome = outcome;
  rt->late.site = site;
  rt->late.address = address;
  rt->late.thread = self()->id;
  memcpy(rt->late.message, rt->message, MESSAGE_BYTES);
}

static _Noreturn void stop_thread(enum outcome outcome, site_id site) {
  struct thread *thread = self();
  trace_complete_value(thread);
  if (rt->section_owner == thread->id) set_section_owner(NO_THREAD);
  thread->operation = (struct operation){.kind = EVENT_RUN_END, .address = outcome, .site = site};
  if (!rt->ends_soon) thread->state = EXITING;
  schedule_leave();
}

static bool is_bound(enum outcome outcome) {
  return outcome == OUTCOME_TOO_MANY_EVENTS || outcome == OUTCOME_TOO_MUCH_MEMORY ||
         outcome == OUTCOME_TOO_MANY_THREADS || outcome == OUTCOME_TOO_MANY_INPUTS || outcome == OUTCOME_LIMIT;
}

void finish_run(enum outcome outcome, site_id site, uint64_t address) {
  rehearsal_check();
  attempt_end_run(outcome);
  if (can_end_late(outcome)) {
    keep_failure(outcome, site, address);
    stop_thread(outcome, site);
  }
  if (rt->late.outcome != OUTCOME_NONE && !is_bound(outcome)) {
    rt->late.hides = true;
    finish_late_run();
  }
  rt->late.hides |= rt->n_local > 0;
  end_run(outcome, site, address, self()->id);
}

void finish_run_with_message(enum outcome outcome, site_id site, uint64_t address, const char *message) {
  size_t length = string_length(message);
  if (length > MESSAGE_BYTES - 1) length = MESSAGE_BYTES - 1;
  memcpy(rt->message, message, length);
  rt->message[length] = 0;
  finish_run(outcome, site, address);
}

/* ---- at a limit, with its place ---- */

static void append(char *message, const char *words) {
  size_t length = string_length(message);
  for (; *words && length < MESSAGE_BYTES - 1; words++) message[length++] = *words;
  message[length] = 0;
}

static void append_place(char *message, const struct site *site) {
  char digits[12];
  size_t at = sizeof digits - 1;
  uint32_t line = site->line;
  digits[at] = 0;
  do digits[--at] = (char)('0' + line % 10);
  while (line /= 10);
  append(message, ", at ");
  append(message, site->file);
  append(message, ":");
  append(message, digits + at);
  append(message, " in ");
  append(message, site->function);
}

void finish_at_limit_at(site_id site, const char *what) {
  char message[MESSAGE_BYTES] = "";
  append(message, what);
  if (site) append_place(message, (const struct site *)(uint64_t)site);
  finish_run_with_message(OUTCOME_LIMIT, site, 0, message);
}

void finish_at_limit(const char *what) {
  finish_at_limit_at(self()->at_site, what);
}
