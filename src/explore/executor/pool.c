/* SPDX-License-Identifier: MIT
 *
 * The tickets of a lane are a ring of entries, counted from the beginning of time:
 *
 *     first ........................ end
 *     the next that is handed out    the next that is submitted
 *
 * Each ticket is with one executor, which counts its plans by itself: `given` says which ticket a plan of an executor
 * has. A reply to the ticket `first` is handed out as the executor shows it; a reply to a later one is copied and kept
 * with its ticket until its turn comes.
 */
#include "explore/executor/pool.h"

#include <stdlib.h>
#include <string.h>

#define RING 512u
#define FINISH_MILLISECONDS 100
#define TURN_MILLISECONDS 1 /* that one lane is waited for while others may answer */

_Static_assert(LANE_MOST_OUTSTANDING < RING, "every outstanding ticket has an entry");

/* A reply that came before its turn. */
struct early {
  struct plan *plan;
  struct trace *record;
  bool plan_done, damaged;
};

struct ticket {
  unsigned member; /* the executor that has it */
  bool is_conditional;
  VECTOR(struct early) early;
  size_t n_handed_out; /* of `early` */
};

struct member {
  struct executor *executor;
  uint64_t n_given;     /* plans, in its own count */
  uint64_t given[RING]; /* by its own count: the ticket */
};

struct lane {
  struct pool *pool;
  struct executor_settings settings;
  struct member *members;
  unsigned n_members;
  struct ticket tickets[RING];
  uint64_t first, end;
  const struct plan *last_plan; /* of the last reply */
  uint8_t *covered;             /* by all executors */
};

struct pool {
  unsigned n_executors;
  VECTOR(struct lane *) lanes;
  size_t turn; /* which lane is waited for next */
};

/* --- lanes --- */

static struct ticket *ticket_at(struct lane *lane, uint64_t ticket) {
  return &lane->tickets[ticket % RING];
}

static void forget_early(struct ticket *ticket) {
  for (size_t i = 0; i < ticket->early.count; i++) {
    free(ticket->early.items[i].plan);
    free(ticket->early.items[i].record);
  }
  ticket->early.count = ticket->n_handed_out = 0;
}

static void free_lane(struct lane *lane) {
  for (unsigned i = 0; i < lane->n_members; i++)
    if (lane->members[i].executor) executor_destroy(lane->members[i].executor);
  for (size_t i = 0; i < RING; i++) {
    forget_early(&lane->tickets[i]);
    vector_free(&lane->tickets[i].early);
  }
  free(lane->members);
  free(lane->covered);
  free(lane);
}

struct lane *lane_open(struct pool *pool, const struct executor_settings *settings, struct error *error) {
  struct lane *lane = memory_allocate(sizeof *lane);
  lane->pool = pool;
  lane->settings = *settings;
  lane->n_members = pool->n_executors;
  lane->members = memory_allocate(lane->n_members * sizeof *lane->members);
  lane->covered = memory_allocate(settings->coverage_bytes);
  for (unsigned i = 0; i < lane->n_members; i++) {
    lane->members[i].executor = executor_create(settings, error);
    if (lane->members[i].executor) continue;
    free_lane(lane);
    return NULL;
  }
  vector_push(&pool->lanes, lane);
  return lane;
}

void lane_close(struct lane *lane) {
  struct pool *pool = lane->pool;
  size_t kept = 0;
  for (size_t i = 0; i < pool->lanes.count; i++)
    if (pool->lanes.items[i] != lane) pool->lanes.items[kept++] = pool->lanes.items[i];
  pool->lanes.count = kept;
  free_lane(lane);
}

/* --- submitting --- */

static unsigned idlest_member(const struct lane *lane) {
  unsigned best = 0;
  for (unsigned i = 1; i < lane->n_members; i++)
    if (executor_in_flight(lane->members[i].executor) < executor_in_flight(lane->members[best].executor)) best = i;
  return best;
}

/* What the executor has is the ticket's plan from now on. */
static void give(struct lane *lane, uint64_t ticket, unsigned number) {
  struct member *member = &lane->members[number];
  ticket_at(lane, ticket)->member = number;
  member->given[member->n_given++ % RING] = ticket;
}

uint64_t lane_submit(struct lane *lane, const struct plan *plan, const struct step *steps, size_t n_steps,
                     const struct input_value *inputs, size_t n_inputs) {
  BUG_ON(lane_outstanding(lane) >= LANE_MOST_OUTSTANDING);
  const unsigned number = idlest_member(lane);
  struct plan given = *plan;
  if (lane->n_members > 1) given.flags &= ~(uint32_t)PLAN_CONDITIONAL; /* the ticket before is with another executor */
  executor_submit(lane->members[number].executor, &given, steps, n_steps, inputs, n_inputs);
  struct ticket *ticket = ticket_at(lane, lane->end);
  forget_early(ticket);
  ticket->is_conditional = plan->flags & PLAN_CONDITIONAL;
  give(lane, lane->end, number);
  return lane->end++;
}

void lane_add_sleepers(struct lane *lane, const struct event *sleepers, size_t count) {
  BUG_ON(lane->first == lane->end);
  executor_add_sleepers(lane->members[ticket_at(lane, lane->end - 1)->member].executor, sleepers, count);
}

size_t lane_outstanding(const struct lane *lane) {
  return lane->end - lane->first;
}

/* --- receiving --- */

static uint64_t ticket_of(const struct member *member, const struct reply *reply) {
  return member->given[reply->plan->ticket % RING];
}

static void finish_reply(struct lane *lane, struct reply *reply, uint64_t ticket) {
  reply->lane = lane;
  reply->ticket = ticket;
  lane->last_plan = reply->plan;
  if (reply->plan_done) lane->first++;
}

static void keep_early(struct lane *lane, const struct reply *reply, uint64_t ticket) {
  struct early early = {memory_allocate(reply->plan->size_bytes), trace_copy(&reply->trace), reply->plan_done,
                        reply->damaged};
  memcpy(early.plan, reply->plan, reply->plan->size_bytes);
  vector_push(&ticket_at(lane, ticket)->early, early);
}

/* Those that were handed out stay until the ring comes round: a reply is valid until the next call. */
static bool hand_out_early(struct lane *lane, struct reply *reply) {
  struct ticket *ticket = ticket_at(lane, lane->first);
  if (ticket->n_handed_out == ticket->early.count) return false;
  const struct early *early = &ticket->early.items[ticket->n_handed_out++];
  *reply = (struct reply){.plan = early->plan, .plan_done = early->plan_done, .damaged = early->damaged};
  BUG_ON(!trace_open(&reply->trace, early->record, early->record->size_bytes));
  finish_reply(lane, reply, lane->first);
  return true;
}

/* A reply whose turn has not come is kept: that counts as nothing. */
static enum reception receive_from(struct lane *lane, unsigned number, int timeout_milliseconds, struct reply *reply,
                                   struct error *error) {
  const struct member *member = &lane->members[number];
  const enum reception reception = executor_receive(member->executor, timeout_milliseconds, reply, error);
  if (reception != RECEPTION_REPLY) return reception;
  const uint64_t ticket = ticket_of(member, reply);
  if (ticket < lane->first) return RECEPTION_NOTHING; /* it was skipped */
  if (ticket == lane->first) {
    finish_reply(lane, reply, ticket);
    return RECEPTION_REPLY;
  }
  keep_early(lane, reply, ticket);
  return RECEPTION_NOTHING;
}

/* Everybody is given what waits for him; only who has the next ticket is waited for. */
static enum reception receive(struct lane *lane, int timeout_milliseconds, struct reply *reply, struct error *error) {
  const unsigned next = ticket_at(lane, lane->first)->member;
  for (unsigned i = 0; i < lane->n_members; i++) {
    if (i == next) continue;
    if (receive_from(lane, i, 0, reply, error) == RECEPTION_FAILED) return RECEPTION_FAILED;
  }
  return receive_from(lane, next, timeout_milliseconds, reply, error);
}

enum reception lane_receive(struct lane *lane, int timeout_milliseconds, struct reply *reply, struct error *error) {
  reply->lane = lane;
  if (lane->first == lane->end) return RECEPTION_NOTHING;
  if (lane->n_members > 1 && hand_out_early(lane, reply)) return RECEPTION_REPLY;
  return receive(lane, timeout_milliseconds, reply, error);
}

bool lane_finish_plan(struct lane *lane, struct reply *reply, struct error *error) {
  for (;;) {
    if (deadline_is_over_now(lane->settings.deadline)) return error_set(error, "the time was over before the run was");
    const enum reception reception = lane_receive(lane, FINISH_MILLISECONDS, reply, error);
    if (reception == RECEPTION_FAILED) return false;
    if (reception == RECEPTION_REPLY && reply->plan_done) return true;
  }
}

/* --- again, or not at all --- */

/* The plan goes to another executor: whatever took its process away shall not take it again. */
static void repeat_elsewhere(struct lane *lane) {
  struct ticket *ticket = ticket_at(lane, lane->first);
  const unsigned number = (ticket->member + 1) % lane->n_members;
  const struct plan *plan = lane->last_plan;
  struct executor *executor = lane->members[number].executor;
  executor_submit(executor, plan, plan_steps(plan), plan->n_steps, plan_inputs(plan), plan->n_inputs);
  if (plan->n_sleepers > 0) executor_add_sleepers(executor, plan_sleepers(plan), plan->n_sleepers);
  give(lane, lane->first, number);
  forget_early(ticket);
}

void lane_repeat(struct lane *lane) {
  BUG_ON(lane->first == 0);
  lane->first--;
  if (lane->n_members > 1)
    repeat_elsewhere(lane);
  else
    executor_repeat(lane->members[0].executor);
}

void lane_drop(struct lane *lane) {
  for (unsigned i = 0; i < lane->n_members; i++) executor_drop_plans(lane->members[i].executor);
  for (; lane->first < lane->end; lane->first++) forget_early(ticket_at(lane, lane->first));
}

size_t lane_skip_conditional(struct lane *lane) {
  const uint64_t before = lane->first;
  if (lane->n_members == 1) executor_skip_conditional(lane->members[0].executor);
  for (; lane->first < lane->end && ticket_at(lane, lane->first)->is_conditional; lane->first++)
    forget_early(ticket_at(lane, lane->first));
  return lane->first - before;
}

bool lane_is_alive(const struct lane *lane) {
  for (unsigned i = 0; i < lane->n_members; i++)
    if (executor_is_alive(lane->members[i].executor)) return true;
  return false;
}

void lane_keep_journal(struct lane *lane, struct journal *journal) {
  if (!journal) return;
  while (lane->n_members > 1) executor_destroy(lane->members[--lane->n_members].executor);
  executor_keep_journal(lane->members[0].executor, journal);
}

void lane_save(struct lane *lane) {
  executor_save(lane->members[0].executor);
}

void lane_hold(struct lane *lane, uint64_t ticket) {
  executor_hold(lane->members[0].executor, ticket);
}

bool lane_is_held(const struct lane *lane) {
  return executor_is_held(lane->members[0].executor);
}

bool lane_wants_state(const struct lane *lane) {
  return executor_wants_state(lane->members[0].executor);
}

void lane_save_state(struct lane *lane, const struct text *state) {
  executor_save_state(lane->members[0].executor, state);
}

/* With a journal there is one executor, whose plans are the lane's tickets. */
void lane_write_known(const struct lane *lane, struct text *state) {
  BUG_ON(lane->n_members != 1 || lane->members[0].n_given != lane->end);
  written_add_number(state, lane->first);
  executor_write_known(lane->members[0].executor, state);
}

bool lane_read_known(struct lane *lane, struct written *state) {
  BUG_ON(lane->n_members != 1 || lane->end > 0);
  lane->first = lane->end = lane->members[0].n_given = written_take_below(state, UINT64_MAX / 2);
  return executor_read_known(lane->members[0].executor, lane->end, state);
}

const struct plan *lane_plan(const struct lane *lane, size_t i, uint64_t *ticket) {
  *ticket = lane->first + i;
  return executor_plan_at(lane->members[0].executor, *ticket);
}

void lane_end_processes(struct lane *lane) {
  for (unsigned i = 0; i < lane->n_members; i++) executor_end_process(lane->members[i].executor);
}

/* --- what its executors know --- */

uint64_t lane_peak_rss_kb(const struct lane *lane) {
  uint64_t peak = 0;
  for (unsigned i = 0; i < lane->n_members; i++) {
    const uint64_t own = executor_peak_rss_kb(lane->members[i].executor);
    if (own > peak) peak = own;
  }
  return peak;
}

struct knowledge *lane_knowledge(struct lane *lane) {
  return executor_knowledge(lane->members[0].executor);
}

struct observations *lane_observations(struct lane *lane) {
  return executor_observations(lane->members[0].executor);
}

void lane_load_knowledge(struct lane *lane) {
  for (unsigned i = 0; i < lane->n_members; i++) executor_load_knowledge(lane->members[i].executor);
}

const uint8_t *lane_coverage(struct lane *lane) {
  for (unsigned i = 0; i < lane->n_members; i++) {
    const uint8_t *own = executor_coverage(lane->members[i].executor);
    for (uint32_t k = 0; k < lane->settings.coverage_bytes; k++) lane->covered[k] |= own[k];
  }
  return lane->covered;
}

bool lane_is_damaged(const struct lane *lane) {
  for (unsigned i = 0; i < lane->n_members; i++)
    if (executor_is_damaged(lane->members[i].executor)) return true;
  return false;
}

/* One that forks has met a run that needs it. */
enum isolation lane_isolation(const struct lane *lane) {
  for (unsigned i = 1; i < lane->n_members; i++) {
    const enum isolation isolation = executor_isolation(lane->members[i].executor);
    if (isolation != lane->settings.isolation) return isolation;
  }
  return executor_isolation(lane->members[0].executor);
}

/* --- pools --- */

struct pool *pool_create(unsigned n_executors) {
  struct pool *pool = memory_allocate(sizeof *pool);
  pool->n_executors = n_executors;
  return pool;
}

void pool_destroy(struct pool *pool) {
  for (size_t i = 0; i < pool->lanes.count; i++) free_lane(pool->lanes.items[i]);
  vector_free(&pool->lanes);
  free(pool);
}

/* The lane whose turn it is to be waited for; NULL: nothing is outstanding in any. */
static struct lane *next_lane(struct pool *pool) {
  for (size_t i = 0; i < pool->lanes.count; i++) {
    struct lane *lane = pool->lanes.items[++pool->turn % pool->lanes.count];
    if (lane_outstanding(lane) > 0) return lane;
  }
  return NULL;
}

/* Lanes that were opened last have few plans, and somebody waits for each of them. */
static enum reception poll_lanes(struct pool *pool, struct reply *reply, struct error *error) {
  for (size_t i = pool->lanes.count; i-- > 0;) {
    const enum reception reception = lane_receive(pool->lanes.items[i], 0, reply, error);
    if (reception != RECEPTION_NOTHING) return reception;
  }
  return RECEPTION_NOTHING;
}

enum reception pool_receive(struct pool *pool, int timeout_milliseconds, struct reply *reply, struct error *error) {
  for (int waited = 0; waited <= timeout_milliseconds; waited += TURN_MILLISECONDS) {
    enum reception reception = poll_lanes(pool, reply, error);
    if (reception != RECEPTION_NOTHING) return reception;
    struct lane *lane = next_lane(pool);
    if (!lane) return RECEPTION_NOTHING;
    reception = lane_receive(lane, TURN_MILLISECONDS, reply, error);
    if (reception != RECEPTION_NOTHING) return reception;
  }
  return RECEPTION_NOTHING;
}
