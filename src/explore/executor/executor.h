/* SPDX-License-Identifier: MIT
 *
 * An executor seen from the engine: plans go in, traces come back in the same order, whatever happens to the process.
 *
 *   - A process that dies, hangs, or scribbles over the channel answers all the same: with a made-up trace that says
 *     VANISHED or COMPUTES. The plans after it are given to a new process.
 *   - A run that needs fork under isolation `auto` is repeated in a process that forks for every run.
 *   - Nothing read from shared memory is trusted: a trace is copied out, then checked (abi/check.h, trace.h), then
 * shown.
 *
 * What all runs have in common (struct knowledge) is the engine's: traces add to it in the order in which they are
 * received, and a process starts with it (abi/channel.h). The executor owns it, its channel, its process and its copies
 * of the plans in flight.
 */
#ifndef HEDDLE_EXPLORE_EXECUTOR_EXECUTOR_H
#define HEDDLE_EXPLORE_EXECUTOR_EXECUTOR_H

#include "base/deadline.h"
#include "base/error.h"
#include "base/written.h"
#include "trace/trace.h"

struct executor_settings {
  const char *executable;
  const char *const *arguments; /* argv, ends with NULL */
  enum isolation isolation;
  uint32_t options; /* enum run_option, or-ed */
  uint32_t max_events;
  uint32_t max_memory_mb; /* of heap and mappings in a run; 0: no bound */
  uint32_t max_inputs;    /* that a thread may ask for one by one; 0: no bound */
  uint32_t max_threads;   /* that one thread may have created and not joined */
  uint32_t max_terms;     /* that a run may make of its inputs */
  uint32_t symbolic_arguments, symbolic_argument_bytes, symbolic_stdin_bytes;
  uint32_t hang_seconds; /* without a visible operation, then the run is cut: COMPUTES */
  uint32_t coverage_bytes;
  int output;                /* file descriptor for the program's output, -1 for none */
  struct deadline *deadline; /* of executor_finish_plan; NULL: none */
};

/* An answer. Plan and trace stay valid until the next call with the same executor. */
struct reply {
  const struct plan *plan;
  struct trace_view trace;
  bool plan_done; /* no other trace of this plan will come */
  bool damaged;   /* the program wrote over the channel: what the process knows may be damaged as well */
  /* Filled in by pool.c. */
  struct lane *lane;
  uint64_t ticket;
};

enum reception {
  RECEPTION_REPLY,
  RECEPTION_NOTHING, /* the time is over, or a signal came */
  RECEPTION_FAILED,  /* the program cannot be run: see the error */
};

struct journal;

struct executor *executor_create(const struct executor_settings *settings, struct error *error);
void executor_destroy(struct executor *executor);
/* Before the first plan: the replies that the journal has come first, as if they were received; all others are written
 * to it. It stays the caller's. */
void executor_keep_journal(struct executor *executor, struct journal *journal);
/* When nothing more will be asked for: writes what is not saved yet, unless plans were dropped. */
void executor_save(struct executor *executor);
/* Is it time for a state of the exploration, and has no plan in flight begun? Then executor_save_state() replaces what
 * the journal has. */
bool executor_wants_state(const struct executor *executor);
void executor_save_state(struct executor *executor, const struct text *state);
/* What it knows: the isolation, knowledge, observations, coverage. */
void executor_write_known(const struct executor *executor, struct text *state);
/* Reads it into an executor that has had no plan, and whose next one gets this ticket. False: nobody wrote that. */
bool executor_read_known(struct executor *executor, uint64_t ticket, struct written *state);
/* A plan in flight. */
const struct plan *executor_plan_at(struct executor *executor, uint64_t ticket);

/* Adds a plan after those in flight. `plan` is a struct plan without its steps and inputs: size, counts and ticket are
 * filled in. */
void executor_submit(struct executor *executor, const struct plan *plan, const struct step *steps, size_t n_steps,
                     const struct input_value *inputs, size_t n_inputs);
/* Sets threads to sleep in the plan that was submitted last: struct plan's sleepers. */
void executor_add_sleepers(struct executor *executor, const struct event *sleepers, size_t count);
size_t executor_in_flight(const struct executor *executor);
enum reception executor_receive(struct executor *executor, int timeout_milliseconds, struct reply *reply,
                                struct error *error);
/* Waits for the last trace of the oldest plan. False: the program cannot be run, or the deadline is over. */
bool executor_finish_plan(struct executor *executor, struct reply *reply, struct error *error);
/* Gives the plans in flight to the program as `command` (a debugger) will start it, and waits until that ends; *status
 * is its exit status. Nothing is received. */
bool executor_debug(struct executor *executor, const char *const *command, int *status, struct error *error);
/* Runs the plan of the last reply again, in a new process, before all others. Only after a reply with plan_done. */
void executor_repeat(struct executor *executor);
/* Forgets the plans in flight; those that already ran are forgotten as well. */
void executor_drop_plans(struct executor *executor);
/* With a journal: plans from this ticket on are not made until they are dropped. */
void executor_hold(struct executor *executor, uint64_t ticket);
/* Is nothing left but such plans? */
bool executor_is_held(const struct executor *executor);
/* Forgets the plans in flight that are PLAN_CONDITIONAL, up to the first that is not. The last reply ended its plan: if
 * it was not quiet, or came after a change of isolation, none of them was run. */
void executor_skip_conditional(struct executor *executor);
/* Is there a process at work? When not, no plan in flight has begun. */
bool executor_is_alive(const struct executor *executor);

/* Ends the process; the next plan gets a new one. */
void executor_end_process(struct executor *executor);
/* Of the largest process that has ended. */
uint64_t executor_peak_rss_kb(const struct executor *executor);

/* What the runs whose traces were received have in common, and what they observed. Who changes the knowledge does so
 * while there is no process: the next one starts with it. */
struct knowledge *executor_knowledge(struct executor *executor);
struct observations *executor_observations(struct executor *executor);
/* Gives the channel what is known now, whatever it holds; only while there is no process. */
void executor_load_knowledge(struct executor *executor);
/* coverage_bytes bytes: what these runs have covered. */
const uint8_t *executor_coverage(struct executor *executor);
/* Has something written over what the process knows or has covered? Only while nothing is in flight. */
bool executor_is_damaged(struct executor *executor);
/* The isolation in use: `auto` becomes `fork` when a run needed it. */
enum isolation executor_isolation(const struct executor *executor);

#endif
