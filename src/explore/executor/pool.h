/* SPDX-License-Identifier: MIT
 *
 * A pool of executors. Whoever wants runs opens a lane and submits plans to it; each plan gets a ticket, and the
 * replies of a lane come in the order of its tickets, however many executors are at work and in whichever order they
 * answer. The lanes of a pool do not wait for each other: the exploration has one, and so has every finding that is
 * repeated or minimised.
 *
 *   - A process that is lost costs the ticket it was working on, which the executor answers (executor.h). Whoever wants
 *     that run again repeats the ticket: the reply then comes at its old place in the order.
 *   - Tickets that are dropped have no reply.
 *   - A lane has settings of its own, and knowledge that its runs start from and add to. As long as knowledge is memory
 *     that one executor shares with its process, only a lane with one executor gives all its runs the same.
 *
 * The pool owns its lanes, a lane its executors and the replies that came before their turn.
 */
#ifndef HEDDLE_EXPLORE_EXECUTOR_POOL_H
#define HEDDLE_EXPLORE_EXECUTOR_POOL_H

#include "explore/executor/executor.h"

struct pool;
struct lane;

#define LANE_MOST_OUTSTANDING 500u

/* Each of its lanes has that many executors. */
struct pool *pool_create(unsigned n_executors);
/* Closes all lanes. */
void pool_destroy(struct pool *pool);
/* The next reply of any lane: reply->lane says of which, also when the program cannot be run there. */
enum reception pool_receive(struct pool *pool, int timeout_milliseconds, struct reply *reply, struct error *error);

struct lane *lane_open(struct pool *pool, const struct executor_settings *settings, struct error *error);
/* Ends its processes and forgets what is outstanding. */
void lane_close(struct lane *lane);

/* Adds a plan, as executor_submit does, and returns its ticket: from 0, one more each time. A plan that is
 * PLAN_CONDITIONAL depends on the ticket before it; see lane_skip_conditional. */
uint64_t lane_submit(struct lane *lane, const struct plan *plan, const struct step *steps, size_t n_steps,
                     const struct input_value *inputs, size_t n_inputs);
/* Sets threads to sleep in the plan that was submitted last: struct plan's sleepers. */
void lane_add_sleepers(struct lane *lane, const struct event *sleepers, size_t count);
/* Tickets whose last reply has not been handed out. */
size_t lane_outstanding(const struct lane *lane);
/* The next reply of this lane. Its plan and trace stay valid until the next call with the same lane. */
enum reception lane_receive(struct lane *lane, int timeout_milliseconds, struct reply *reply, struct error *error);
/* Waits for the last reply of the oldest ticket. False: the program cannot be run, or the settings' deadline is over.
 */
bool lane_finish_plan(struct lane *lane, struct reply *reply, struct error *error);
/* Runs the ticket of the last reply again, in another process. Only after a reply with plan_done. */
void lane_repeat(struct lane *lane);
/* Forgets all outstanding tickets. */
void lane_drop(struct lane *lane);
/* Forgets the oldest outstanding tickets that are conditional, and returns how many: to be called after a last reply
 * that was not quiet (trace_is_quiet), or when the lane's isolation has changed with it. They leave no trace of
 * themselves. */
size_t lane_skip_conditional(struct lane *lane);
/* Is a process at work? When not, no outstanding ticket has begun. */
bool lane_is_alive(const struct lane *lane);
/* As executor_keep_journal and executor_save: one executor answers then, whatever the pool has. */
void lane_keep_journal(struct lane *lane, struct journal *journal);
void lane_save(struct lane *lane);
/* As those of an executor. */
void lane_hold(struct lane *lane, uint64_t ticket);
bool lane_is_held(const struct lane *lane);
bool lane_wants_state(const struct lane *lane);
void lane_save_state(struct lane *lane, const struct text *state);
void lane_write_known(const struct lane *lane, struct text *state);
bool lane_read_known(struct lane *lane, struct written *state);
/* The outstanding ticket number i, the oldest is 0, and its plan. */
const struct plan *lane_plan(const struct lane *lane, size_t i, uint64_t *ticket);
/* Ends its processes; the next plan gets a new one. */
void lane_end_processes(struct lane *lane);

/* As those of an executor; where there are several, of all of them. */
uint64_t lane_peak_rss_kb(const struct lane *lane);
struct knowledge *lane_knowledge(struct lane *lane);
struct observations *lane_observations(struct lane *lane);
void lane_load_knowledge(struct lane *lane);
const uint8_t *lane_coverage(struct lane *lane);
bool lane_is_damaged(const struct lane *lane);
enum isolation lane_isolation(const struct lane *lane);

#endif
