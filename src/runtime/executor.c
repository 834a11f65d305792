/* SPDX-License-Identifier: MIT
 *
 * The executor: what main becomes when the engine starts the program. It takes plans from the channel, performs their
 * runs, publishes traces, and puts the program back to the start of main in between, or runs each in a forked process.
 * Without a channel the program just runs.
 */
#include "executor.h"
#include "additions.h"
#include "awaits.h"
#include "budget.h"
#include "checkpoint.h"
#include "children.h"
#include "choose.h"
#include "constructors.h"
#include "constructs.h"
#include "cycles.h"
#include "fiber.h"
#include "files.h"
#include "input_values.h"
#include "memory.h"
#include "pipes.h"
#include "process.h"
#include "queues.h"
#include "repetition.h"
#include "schedule.h"
#include "sharing.h"
#include "signals.h"
#include "sleep.h"
#include "snapshot.h"
#include "terms.h"
#include "timers.h"
#include "trace.h"
#include "twins.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAIN_STACK_BYTES (8u << 20)

bool controlled;

extern char __start_heddle_coverage[] __attribute__((weak));
extern char __stop_heddle_coverage[] __attribute__((weak));
extern char __start_heddle_runtime_code[] __attribute__((weak)); /* the Makefile names the section so */
extern char __stop_heddle_runtime_code[] __attribute__((weak));

int __real_main(int argc, char **argv, char **environment);
_Noreturn void __real_exit(int status);

/* What a forked run leaves to its parent. */
struct forked_result {
  uint64_t plan_steps, plan_discarded, plan_rounds;
  bool came_to_end, plan_done, again, shared_grew, was_loud;
  uint32_t vain_trial_at;
  site_id vain_spin;
};

static struct forked_result *forked_result; /* shared with the children */

void executor_initialise(void) {
  forked_result =
      (struct forked_result *)system_call(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

bool executor_owns(uint64_t mapping) {
  return mapping == (uint64_t)forked_result;
}

/* ---- ends ---- */

/* Eight coverage bytes, wherever they lie. */
typedef uint64_t coverage_word __attribute__((aligned(1), may_alias));

/* New ones among the eight bytes from this place on. */
static __attribute__((noinline)) void note_covered(char *copy, uint64_t place, uint64_t count) {
  for (uint64_t i = place; i < place + count; i++) {
    if (!__start_heddle_coverage[i] || copy[i]) continue;
    copy[i] = 1;
    additions_covered((uint32_t)i);
  }
}

/* Before every trace, so that what a run covered is known once the run counts, whatever becomes of the process. */
static void flush_coverage(void) {
  uint64_t bytes = (uint64_t)(__stop_heddle_coverage - __start_heddle_coverage);
  if (bytes > rt->channel->coverage_bytes) bytes = rt->channel->coverage_bytes;
  char *copy = channel_at(rt->channel, rt->channel->coverage_offset);
  uint64_t i = 0;
  for (; i + 8 <= bytes; i += 8) {
    const coverage_word *from = (const coverage_word *)(__start_heddle_coverage + i);
    const coverage_word *to = (const coverage_word *)(copy + i);
    if (*from & ~*to) note_covered(copy, i, 8);
  }
  note_covered(copy, i, bytes - i);
}

/* So that what is set after a run is what that run set. */
static void forget_coverage(void) {
  flush_coverage();
  memset(__start_heddle_coverage, 0, (size_t)(__stop_heddle_coverage - __start_heddle_coverage));
}

uint64_t coverage_room_bytes(void) {
  return (uint64_t)(__stop_heddle_coverage - __start_heddle_coverage) * sizeof(uint32_t);
}

uint32_t coverage_list(uint32_t *bytes) {
  const uint32_t count = (uint32_t)(__stop_heddle_coverage - __start_heddle_coverage);
  uint32_t covered = 0;
  for (uint32_t i = 0; i < count; i++)
    if (__start_heddle_coverage[i]) bytes[covered++] = i;
  return covered;
}

static _Noreturn void end_process(int status) {
  for (;;) system_call(SYS_exit_group, status);
}

void executor_die(const char *why) {
  if (controlled && atomic_load(&rt->channel->running)) {
    const size_t length = string_length(why);
    memcpy(rt->message, why, length + 1);
    executor_end_with(OUTCOME_LIMIT, 0, 0, 0);
  }
  static const char before[] = "heddle: the program cannot be controlled: ";
  system_call(SYS_write, 2, before, sizeof before - 1);
  system_call(SYS_write, 2, why, string_length(why));
  system_call(SYS_write, 2, "\n", 1);
  end_process(125);
}

bool executor_is_in_runtime(uint64_t instruction) {
  return instruction >= (uint64_t)__start_heddle_runtime_code && instruction < (uint64_t)__stop_heddle_runtime_code;
}

/* A wild access faults in the runtime when it looks at the value first, and a model when it looks at what it was given.
 */
static site_id site_of_crash(uint64_t instruction) {
  const bool is_old = !__heddle_site || __heddle_site == self()->called_before;
  return is_old && executor_is_in_runtime(instruction) ? self()->at_site : (site_id)(uint64_t)__heddle_site;
}

/* The write before the fault was performed, unless it is what faulted. A second fault, here, must not lead here again.
 */
static void complete_write(uint64_t fault) {
  static bool was_here;
  const struct thread *thread = self();
  if (was_here || !thread->valued_event) return;
  was_here = true;
  const struct event *event = &rt->events[thread->valued_event - 1];
  if (fault - event->object >= event->size) trace_complete_value(self());
}

/* A thread has failed before: that is how the run ends, whatever the others would still have done. */
static void take_late_failure(void) {
  rt->outcome = rt->late.outcome;
  rt->outcome_site = rt->late.site;
  rt->outcome_address = rt->late.address;
  rt->outcome_thread = rt->late.thread;
  rt->instruction = 0;
  rt->late.hides = true;
  memcpy(rt->message, rt->late.message, MESSAGE_BYTES);
}

void executor_end_with(enum outcome outcome, int status, uint64_t address, uint64_t instruction) {
  rehearsal_check();
  if (trial_is_in_vain()) fiber_return_to_root(); /* what a trial comes to is not a run; it is made again */
  const bool in_runtime = executor_is_in_runtime(instruction);
  if (outcome != OUTCOME_COMPUTES && !in_runtime) complete_write(address);
  rt->outcome = outcome;
  rt->status = status;
  rt->outcome_address = address;
  rt->outcome_site = site_of_crash(instruction);
  rt->instruction = instruction < UINT32_MAX && !in_runtime ? (uint32_t)instruction : 0;
  rt->last_site = self()->at_site;
  rt->outcome_thread = self()->id;
  rt->late.hides |= rt->n_local > 0;
  const bool has_failed = rt->late.outcome != OUTCOME_NONE && rt->late.outcome != OUTCOME_ASSUMPTION_FAILED;
  const uint32_t cut = outcome == OUTCOME_COMPUTES && has_failed ? TRACE_CUT : 0;
  if (cut) take_late_failure();
  if (rt->children.were_any) children_kill_all();
  twins_end_run();
  rt->plan_steps += rt->n_steps;
  rt->plan_rounds += rt->n_rounds;
  flush_coverage();
  if (rt->forked) {
    *forked_result = (struct forked_result){.plan_steps = rt->plan_steps,
                                            .plan_discarded = rt->plan_discarded,
                                            .plan_rounds = rt->plan_rounds,
                                            .came_to_end = true,
                                            .plan_done = true,
                                            .was_loud = true,
                                            .vain_trial_at = rt->vain_trial_at};
    trace_publish(TRACE_PLAN_DONE | cut);
  } else {
    trace_publish(TRACE_PLAN_DONE | TRACE_EXECUTOR_ENDS | cut);
  }
  end_process(0);
}

/* ---- one run ---- */

/* getopt and others move argv's pointers and change its strings, so every run has its own, on main's stack. */
static char **copy_arguments(char *room) {
  char **copy = (char **)room;
  const uint32_t further = rt->channel->symbolic_arguments;
  char *strings = (char *)(copy + rt->argc + further + 1);
  for (int i = 0; i < rt->argc; i++) {
    const size_t bytes = string_length(rt->argv[i]) + 1;
    copy[i] = memcpy(strings, rt->argv[i], bytes);
    strings += bytes;
  }
  inputs_make_arguments(copy + rt->argc, strings);
  copy[rt->argc + (int)further] = NULL;
  return copy;
}

static size_t arguments_bytes(void) {
  size_t bytes = ((size_t)rt->argc + 1) * sizeof(char *) + inputs_arguments_bytes();
  for (int i = 0; i < rt->argc; i++) bytes += string_length(rt->argv[i]) + 1;
  return bytes;
}

static void main_entry(void) {
  char room[arguments_bytes()] __attribute__((aligned(16)));
  char **arguments = copy_arguments(room);
  const int count = rt->argc + (int)rt->channel->symbolic_arguments;
  standard_input_begin_run();
  constructors_call(count, arguments, rt->environment);
  const int status = __real_main(count, arguments, rt->environment);
  if (!controlled) __real_exit(status); /* in a child that the program forked */
  rehearsal_check();
  process_main_returned(status, room);
}

/* What of a plan makes its steps unusual (struct runtime). */
#define CONDITIONS                                                                                                     \
  (PLAN_TRY_LAST | PLAN_LENIENT | PLAN_MAY_STOP | PLAN_SOLO | PLAN_TAKERS_LAST | PLAN_SYMBOLIC_READS | PLAN_ACCESSES | \
   PLAN_TOUCHES)

void executor_name_run(const struct plan *plan, uint32_t number) {
  rt->plan = plan;
  rt->is_carrying = sharing_is_newer(plan);
  rt->is_conditional = plan->flags & CONDITIONS;
  rt->is_carried = false;
  rt->seed = rt->channel->seed = plan->seed + number;
  rt->run_of_plan = rt->channel->run = number;
  rt->channel->ticket = plan->ticket;
  rt->random_state = rt->seed * 0x9e3779b97f4a7c15ull;
}

static void begin_run(const struct plan *plan, uint32_t number) {
  executor_name_run(plan, number);
  rt->plan_position = rt->n_carried = 0;
  rt->planned = NULL;
  rt->n_steps = rt->n_threads = rt->highest_thread = rt->n_local = rt->switches = 0;
  rt->n_words = 1;
  rt->n_live = rt->n_queued = 0;
  rt->last_thread = rt->exiting = NO_THREAD;
  set_section_owner(NO_THREAD);
  rt->n_attentive = rt->n_rounds = 0;
  rt->needs_fork = rt->left_out = rt->held_back = rt->has_marked = rt->late.hides = rt->ends_soon = rt->is_wide = false;
  rt->late.outcome = OUTCOME_NONE;
  rt->ready.words[0] = rt->waiting.words[0] = rt->local.words[0] = 0;
  rt->outcome = OUTCOME_NONE;
  rt->status = rt->exit.status = 0;
  rt->instruction = rt->last_site = 0;
  rt->stack[0] = 0;
  rt->has_parked = false;
  rt->cut_tries = 0;
  rt->stepped = NULL;
  rt->message[0] = 0;
  rt->n_exit_handlers = rt->n_observations = 0;
  if (rt->has_handlers) memset(rt->handlers, 0, sizeof rt->handlers);
  rt->has_handlers = false;
  rt->signals_pending = 0;
  rt->signals_sent = false;
  filelock_begin_run();
  rt->file_locks_object = (struct object){.run = rt->run, .owner = NO_THREAD};
  timers_begin_run();
  budget_begin_run();
  children_begin_run();
  pipes_begin_run();
  files_begin_run();
  queues_begin_run();
  constructs_begin_run();
  keys_begin_run();
  objects_begin_run();
  sharing_begin_run();
  awaits_begin_run();
  cycles_begin_run();
  races_begin_run();
  lockorder_begin_run();
  terms_begin_run();
  attempt_begin_run();
  trace_begin();
  twins_begin_run();
  sleep_begin_run();
  thread_prepare_main();
  fiber_map_stack(&rt->threads[0], MAIN_STACK_BYTES);
  fiber_prepare(&rt->threads[0], main_entry);
  if (plan->policy == POLICY_PRIORITY) choose_priorities();
  if (plan->flags & PLAN_SYMBOLIC_READS) forget_coverage();
  rt->current = &rt->threads[0];
  checkpoint_begin_run();
}

static bool checkpoint_was_taken(void) {
  if (!checkpoint_is_wanted()) return false;
  checkpoint_take();
  return true;
}

/* Until the run is over. Now and then the thread that runs comes here to have a checkpoint taken, or another rehearse.
 */
static void let_threads_run(void) {
  bool continues = true;
  while (continues) {
    fiber_enter_from_root(rt->current);
    continues = rehearsal_perform() || checkpoint_was_taken();
  }
}

static void perform_run(const struct plan *plan, uint32_t number) {
  if (!checkpoint_start_run(plan, number)) begin_run(plan, number);
  /* So that what was printed before a crash is seen. */
  if (plan->flags & PLAN_OUTPUT) setvbuf(stdout, NULL, _IONBF, 0);
  atomic_store_explicit(&rt->channel->running, 1, memory_order_relaxed);
  let_threads_run();
  atomic_store_explicit(&rt->channel->running, 0, memory_order_relaxed);
  children_end_run();
  if (plan->flags & PLAN_OUTPUT) fflush(NULL);
  if (trial_is_in_vain() || attempt_in_vain() || rt->race.again) return;
  twins_end_run();
  rt->plan_steps += rt->n_steps;
  rt->plan_rounds += rt->n_rounds;
  if (rt->outcome == OUTCOME_ASSUMPTION_FAILED) rt->plan_discarded++;
  if (rt->outcome != OUTCOME_FINISHED) return;
  observations_publish();
  lockorder_end_run();
  if (rt->channel->options & RUN_LEAKS) memory_warn_of_leaks();
}

/* Publishes the run if the engine wants to see it; true if its plan ends with it. */
static bool publish_run(const struct plan *plan, uint32_t number) {
  const bool cannot_undo = rt->needs_fork && rt->channel->isolation == ISOLATION_AUTO;
  rt->was_loud = !outcome_is_quiet(rt->outcome) || rt->shared_grew || cannot_undo;
  const bool last = number + 1 == plan->runs || rt->was_loud;
  if (!cannot_undo) rt->needs_fork = false;
  if (!last && !(plan->flags & PLAN_PUBLISH_ALL)) return false;
  flush_coverage();
  trace_publish((last ? TRACE_PLAN_DONE : 0) | (cannot_undo ? TRACE_EXECUTOR_ENDS : 0));
  if (cannot_undo) end_process(0);
  return last;
}

static bool must_be_repeated(void) {
  return trial_was_in_vain() || attempt_in_vain() || rt->race.again;
}

/* What was found to be shared before the run was given up is known when it is made again: that it was new is kept. */
static bool run_with_reset(const struct plan *plan, uint32_t number) {
  perform_run(plan, number);
  while (must_be_repeated()) {
    const bool grew = rt->shared_grew;
    if (rt->race.again) checkpoint_forget_all(); /* accesses before one were not remembered */
    files_restore();
    checkpoint_end_run();
    perform_run(plan, number);
    rt->shared_grew |= grew;
  }
  const bool done = publish_run(plan, number);
  files_restore();
  checkpoint_end_run();
  return done;
}

/* ---- runs in processes of their own ---- */

static _Noreturn void forked_child(const struct plan *plan, uint32_t number, bool grew) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rt->forked = true;
  signals_start_ticking();
  perform_run(plan, number);
  rt->shared_grew |= grew;
  const bool again = must_be_repeated();
  const bool done = !again && publish_run(plan, number);
  *forked_result = (struct forked_result){.plan_steps = rt->plan_steps,
                                          .plan_discarded = rt->plan_discarded,
                                          .plan_rounds = rt->plan_rounds,
                                          .came_to_end = true,
                                          .plan_done = done,
                                          .again = again,
                                          .shared_grew = rt->shared_grew,
                                          .was_loud = rt->was_loud,
                                          .vain_trial_at = rt->vain_trial_at,
                                          .vain_spin = attempt_in_vain()};
  flush_coverage();
  end_process(0);
}

/* The child ended before it could say anything: its events are in the ring, unpublished. */
static void publish_vanished(int status) {
  rt->outcome = OUTCOME_VANISHED;
  rt->status = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  rt->n_events = rt->channel->live_events;
  for (uint32_t i = 0; i < rt->n_events; i++) rt->n_steps += rt->events[i].flags & EVENT_VISIBLE;
  atomic_store_explicit(&rt->channel->running, 0, memory_order_relaxed);
  trace_publish(TRACE_PLAN_DONE);
}

/* `grew`: the run is made again, and more was found to be shared before it was given up. */
static bool run_with_fork(const struct plan *plan, uint32_t number, bool grew) {
  begin_run(plan, number);
  forked_result->came_to_end = false;
  const long child = system_call(SYS_fork, 0);
  if (child < 0) executor_die("cannot fork a run");
  if (child == 0) forked_child(plan, number, grew);
  rt->child = (int)child;
  int status = 0;
  while (system_call(SYS_wait4, child, &status, 0, 0) == -4 /* EINTR */) {
  }
  rt->child = 0;
  children_bury_orphans();
  rt->total_steps = atomic_load(&rt->channel->heartbeat);
  sharing_load_knowledge();
  if (!forked_result->came_to_end) {
    rt->was_loud = true;
    publish_vanished(status);
    return true;
  }
  rt->vain_trial_at = forked_result->vain_trial_at;
  attempt_remember_vain(forked_result->vain_spin);
  if (forked_result->again) return run_with_fork(plan, number, forked_result->shared_grew);
  rt->was_loud = forked_result->was_loud;
  rt->plan_steps = forked_result->plan_steps;
  rt->plan_discarded = forked_result->plan_discarded;
  rt->plan_rounds = forked_result->plan_rounds;
  return forked_result->plan_done;
}

/* ---- plans ---- */

/* One run, and nothing is put back: no faults and no ticks that a debugger would stop at. */
static _Noreturn void run_for_debugger(const struct plan *plan) {
  perform_run(plan, 0);
  publish_run(plan, 0);
  flush_coverage();
  end_process(0);
}

static void perform_plan(const struct plan *plan) {
  if (plan->flags & PLAN_CONDITIONAL && rt->was_loud) return;
  rt->plan_steps = rt->plan_discarded = rt->plan_rounds = 0;
  if (rt->kernel_threads) run_for_debugger(plan);
  const bool forks = rt->channel->isolation == ISOLATION_FORK;
  for (uint32_t number = 0; number < plan->runs; number++) {
    const bool done = forks ? run_with_fork(plan, number, false) : run_with_reset(plan, number);
    atomic_store_explicit(&rt->channel->heartbeat, ++rt->total_steps, memory_order_relaxed);
    if (done || atomic_load_explicit(&rt->channel->stopping, memory_order_relaxed)) return;
  }
}

static uint64_t wait_for_plan(uint64_t read) {
  struct ring *ring = &rt->channel->plans;
  for (uint32_t tries = 0;; tries++) {
    /* acquire: the plan is complete once its position is visible */
    const uint64_t written = atomic_load_explicit(&ring->written, memory_order_acquire);
    if (written != read || atomic_load(&rt->channel->stopping)) return written;
    if (tries < 500) {
      __builtin_ia32_pause();
      continue;
    }
    flush_coverage();
    atomic_store(&ring->reader_waits, 1);
    if (atomic_load(&ring->written) != read || atomic_load(&rt->channel->stopping)) continue;
    /* Not forever: the flag that asks to be woken could be written over. */
    struct {
      long seconds, nanoseconds;
    } second = {1, 0};
    system_call(SYS_futex, &ring->written, FUTEX_WAIT, (uint32_t)read, &second);
  }
}

static void free_plan(uint64_t read) {
  struct ring *ring = &rt->channel->plans;
  /* release: we are done with the record */
  atomic_store(&ring->read, read);
  if (atomic_load(&ring->writer_waits) && atomic_exchange(&ring->writer_waits, 0))
    system_call(SYS_futex, &ring->read, FUTEX_WAKE, 1);
}

/* The record at a position of the plan ring, of at most `available` bytes; the engine starts another process when this
 * one ends here. */
static const struct plan *sound_plan(uint64_t position, uint64_t available) {
  const struct channel *channel = rt->channel;
  const uint64_t place = position % channel->plan_ring_bytes, rest = channel->plan_ring_bytes - place;
  const struct plan *plan = (const struct plan *)((const char *)channel + channel->plan_ring_offset + place);
  const uint32_t bytes = plan->size_bytes & ~RING_SKIP;
  if (bytes < 8 || bytes % 8 != 0 || bytes > available || bytes > rest) executor_die("a plan is damaged");
  if (plan->size_bytes & RING_SKIP) return plan;
  if (bytes < sizeof *plan || plan->check != record_check(plan, bytes, rt->generation) || !plan_is_sound(plan, bytes))
    executor_die("a plan is damaged");
  if (plan->version > rt->knowledge->version) executor_die("a plan names what this process does not know");
  return plan;
}

void executor_serve(void) {
  const struct channel *channel = rt->channel;
  uint64_t read = atomic_load(&channel->plans.read);
  for (;;) {
    const uint64_t written = wait_for_plan(read);
    if (atomic_load(&channel->stopping)) break;
    while (read < written && !atomic_load(&channel->stopping)) {
      const struct plan *plan = sound_plan(read, written - read);
      const uint32_t bytes = plan->size_bytes;
      if (!(bytes & RING_SKIP)) perform_plan(plan);
      read += bytes & ~RING_SKIP;
      free_plan(read);
    }
  }
  flush_coverage();
  end_process(0);
}
