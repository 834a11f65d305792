/* SPDX-License-Identifier: MIT
 *
 * src/explore/executor/pool.c with make-believe executors: whichever of them answers first, replies come in the order
 * of the tickets; a ticket that is repeated keeps its place; what is dropped has no reply. A lane of one executor and
 * one of several must not differ. (tests/unit/executor.c has what happens to processes.)
 */
#include "fake_executor.h"

#include "explore/executor/pool.h"

#define EXECUTORS 3

static struct pool *pool;
static struct lane *lane;
static unsigned awaited;          /* executors above do not answer yet */
static unsigned runs[MOST_PLANS]; /* by seed, which a test gives each plan: how often it was run */
static unsigned runner[MOST_PLANS];

static void answer_when_allowed(const struct fake_run *run, struct fake_answer *answer) {
  answer->not_yet = run->executor > awaited;
  if (answer->not_yet) return;
  runs[run->plan->seed]++;
  runner[run->plan->seed] = run->executor;
}

static void open_pool(unsigned n_executors) {
  const struct executor_settings settings = {.max_events = 100};
  struct error error;
  fake_executors = 0;
  fake_script = answer_when_allowed;
  awaited = EXECUTORS;
  memset(runs, 0, sizeof runs);
  pool = pool_create(n_executors);
  lane = lane_open(pool, &settings, &error);
  assert_non_null(lane);
}

static int set_up_one(void **state) {
  open_pool(1);
  return 0;
}

static int set_up_many(void **state) {
  open_pool(EXECUTORS);
  return 0;
}

static int tear_down(void **state) {
  pool_destroy(pool);
  return 0;
}

static void submit_with(struct lane *to, uint64_t from, unsigned count, uint32_t flags) {
  for (uint64_t seed = from; seed < from + count; seed++) {
    const struct plan plan = {.runs = 1, .seed = seed, .flags = flags};
    const struct step steps[] = {{1, 0}, {(thread_id)seed, 0}};
    const struct input_value input = {.value = {seed, 0}};
    lane_submit(to, &plan, steps, 2, &input, 1);
  }
}

static void submit_to(struct lane *to, uint64_t from, unsigned count) {
  submit_with(to, from, count, 0);
}

static enum reception receive(struct reply *reply) {
  struct error error;
  return lane_receive(lane, 0, reply, &error);
}

/* The next reply, after as many looks as there are executors. */
static struct reply expect(uint64_t ticket, uint64_t seed) {
  struct reply reply;
  enum reception reception = RECEPTION_NOTHING;
  for (unsigned i = 0; i < 4 * EXECUTORS && reception == RECEPTION_NOTHING; i++) reception = receive(&reply);
  assert_int_equal(reception, RECEPTION_REPLY);
  assert_ptr_equal(reply.lane, lane);
  assert_int_equal(reply.ticket, ticket);
  assert_int_equal(reply.plan->seed, seed);
  assert_int_equal(reply.trace.record->seed, seed);
  assert_int_equal(reply.plan->n_steps, 2);
  assert_int_equal(plan_steps(reply.plan)[1].thread, seed);
  assert_int_equal(plan_inputs(reply.plan)->value[0], seed);
  return reply;
}

static void expect_nothing(void) {
  struct reply reply;
  for (unsigned i = 0; i < 4 * EXECUTORS; i++) assert_int_equal(receive(&reply), RECEPTION_NOTHING);
}

static void expect_runs(uint64_t from, unsigned count, unsigned times) {
  for (uint64_t seed = from; seed < from + count; seed++) assert_int_equal(runs[seed], times);
}

static void replies_come_in_the_order_of_tickets(void **state) {
  submit_to(lane, 0, 20);
  assert_int_equal(lane_outstanding(lane), 20);
  for (unsigned i = 0; i < 20; i++) {
    assert_true(expect(i, i).plan_done);
    assert_int_equal(lane_outstanding(lane), 19 - i);
  }
  expect_nothing();
  expect_runs(0, 20, 1);
}

/* More than the ring has entries, with some outstanding all the time. */
static void tickets_go_on_and_on(void **state) {
  submit_to(lane, 0, 10);
  for (unsigned i = 0; i < 1200; i++) {
    expect(i, i);
    submit_to(lane, i + 10, 1);
  }
  assert_int_equal(lane_outstanding(lane), 10);
}

/* The one that has the first ticket answers last. */
static void early_replies_wait_for_their_turn(void **state) {
  submit_to(lane, 0, 9);
  awaited = 0;
  struct reply reply;
  fake_script = answer_when_allowed;
  unsigned first = 0;
  for (; first < 9 && receive(&reply) == RECEPTION_REPLY; first++) assert_int_equal(reply.ticket, first);
  assert_int_equal(first, 1); /* the second ticket is with another executor */
  awaited = 1;
  expect(1, 1);
  expect_nothing();
  awaited = 2;
  for (unsigned i = 2; i < 9; i++) expect(i, i);
  expect_runs(0, 9, 1);
}

static unsigned late; /* executor */

static void answer_unless_late(const struct fake_run *run, struct fake_answer *answer) {
  answer->not_yet = run->executor == late;
  if (!answer->not_yet) runs[run->plan->seed]++;
}

static void all_others_work_while_one_is_slow(void **state) {
  fake_script = answer_unless_late;
  late = 0;
  submit_to(lane, 0, 9);
  expect_nothing();
  unsigned done = 0;
  for (unsigned i = 0; i < 9; i++) done += runs[i];
  assert_int_equal(done, 6); /* what the two others have */
  late = EXECUTORS;
  for (unsigned i = 0; i < 9; i++) expect(i, i);
  expect_runs(0, 9, 1);
}

/* A process that is lost: its executor answers for it, and the ticket is run again. */
static void vanish_first_time(const struct fake_run *run, struct fake_answer *answer) {
  if (runs[run->plan->seed]++ == 0 && run->plan->seed == 4) answer->outcome = OUTCOME_VANISHED;
  runner[run->plan->seed] = run->executor;
}

static void a_repeated_ticket_keeps_its_place(void **state) {
  fake_script = vanish_first_time;
  submit_to(lane, 0, 9);
  for (unsigned i = 0; i < 4; i++) expect(i, i);
  assert_int_equal(expect(4, 4).trace.record->outcome, OUTCOME_VANISHED);
  const unsigned loser = runner[4];
  lane_repeat(lane);
  assert_int_equal(lane_outstanding(lane), 5);
  assert_int_equal(expect(4, 4).trace.record->outcome, OUTCOME_FINISHED);
  if (fake_executors > 1) assert_int_not_equal(runner[4], loser);
  for (unsigned i = 5; i < 9; i++) expect(i, i);
  expect_runs(4, 1, 2);
  expect_runs(0, 4, 1);
  expect_runs(5, 4, 1);
}

static void vanish_always(const struct fake_run *run, struct fake_answer *answer) {
  runs[run->plan->seed]++;
  answer->outcome = OUTCOME_VANISHED;
}

static void a_ticket_can_be_repeated_twice(void **state) {
  fake_script = vanish_always;
  submit_to(lane, 0, 6);
  expect(0, 0);
  lane_repeat(lane);
  expect(0, 0);
  lane_repeat(lane);
  expect(0, 0);
  expect_runs(0, 1, 3);
  for (unsigned i = 1; i < 6; i++) expect(i, i);
  expect_runs(1, 5, 1);
}

static void what_is_dropped_has_no_reply(void **state) {
  submit_to(lane, 0, 9);
  expect(0, 0);
  lane_drop(lane);
  assert_int_equal(lane_outstanding(lane), 0);
  expect_nothing();
  submit_to(lane, 9, 4);
  for (unsigned i = 9; i < 13; i++) expect(i, i);
  expect_runs(9, 4, 1);
}

static void early_replies_are_dropped_too(void **state) {
  fake_script = answer_unless_late;
  late = 0;
  submit_to(lane, 0, 9);
  expect_nothing();
  lane_drop(lane);
  late = EXECUTORS;
  submit_to(lane, 20, 3);
  for (unsigned i = 0; i < 3; i++) expect(9 + i, 20 + i);
  expect_nothing();
}

/* Whether it was run before it was known to be in vain is nobody's business. */
static void what_was_conditional_is_skipped(void **state) {
  submit_to(lane, 0, 1);
  submit_with(lane, 1, 3, PLAN_CONDITIONAL);
  submit_to(lane, 4, 1);
  submit_with(lane, 5, 2, PLAN_CONDITIONAL);
  expect(0, 0);
  assert_int_equal(lane_skip_conditional(lane), 3);
  assert_int_equal(lane_outstanding(lane), 3);
  expect(4, 4);
  expect(5, 5); /* nobody skipped these */
  expect(6, 6);
  expect_nothing();
  assert_int_equal(lane_skip_conditional(lane), 0);
}

static void early_replies_are_skipped_too(void **state) {
  fake_script = answer_unless_late;
  late = 0;
  submit_to(lane, 0, 1);
  submit_with(lane, 1, 8, PLAN_CONDITIONAL);
  expect_nothing(); /* but some have come */
  late = EXECUTORS;
  expect(0, 0);
  assert_int_equal(lane_skip_conditional(lane), 8);
  expect_nothing();
  submit_to(lane, 30, 2);
  expect(9, 30);
  expect(10, 31);
}

static void break_down(const struct fake_run *run, struct fake_answer *answer) {
  answer->cannot_run = run->plan->seed == 2;
}

static void a_program_that_cannot_be_run_is_said(void **state) {
  struct reply reply;
  struct error error = {0};
  fake_script = break_down;
  submit_to(lane, 0, 3);
  enum reception reception = RECEPTION_NOTHING;
  for (unsigned i = 0; i < 4 * EXECUTORS && reception != RECEPTION_FAILED; i++)
    reception = lane_receive(lane, 0, &reply, &error);
  assert_int_equal(reception, RECEPTION_FAILED);
  assert_non_null(strstr(error.message, "cannot be run"));
}

/* --- lanes --- */

static enum reception receive_of_any(struct reply *reply) {
  struct error error;
  enum reception reception = RECEPTION_NOTHING;
  for (unsigned i = 0; i < 4 * EXECUTORS && reception == RECEPTION_NOTHING; i++)
    reception = pool_receive(pool, 0, reply, &error);
  return reception;
}

static void lanes_do_not_wait_for_each_other(void **state) {
  const struct executor_settings settings = {.max_events = 100};
  struct error error;
  struct reply reply;
  struct lane *other = lane_open(pool, &settings, &error);
  awaited = fake_executors - 1;
  submit_to(lane, 0, 3);
  submit_to(other, 100, 2);
  /* The later one first: it is short. */
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(receive_of_any(&reply), RECEPTION_REPLY);
    assert_ptr_equal(reply.lane, other);
    assert_int_equal(reply.ticket, i);
  }
  submit_to(other, 102, 1);
  fake_script = answer_unless_late; /* the other lane's last ticket takes its time */
  late = runner[100];
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(receive_of_any(&reply), RECEPTION_REPLY);
    assert_ptr_equal(reply.lane, lane);
    assert_int_equal(reply.ticket, i);
  }
  assert_int_equal(pool_receive(pool, 3, &reply, &error), RECEPTION_NOTHING);
  assert_int_equal(lane_outstanding(other), 1);
  lane_close(other);
  assert_int_equal(pool_receive(pool, 3, &reply, &error), RECEPTION_NOTHING);
  submit_to(lane, 3, 1);
  expect(3, 3);
}

int main(void) {
#define ONE(name) cmocka_unit_test_setup_teardown(name, set_up_one, tear_down)
#define MANY(name)                                                                                                     \
  { #name " by many", name, set_up_many, tear_down, NULL }
  const struct CMUnitTest tests[] = {
      ONE(replies_come_in_the_order_of_tickets),
      MANY(replies_come_in_the_order_of_tickets),
      ONE(tickets_go_on_and_on),
      MANY(tickets_go_on_and_on),
      MANY(early_replies_wait_for_their_turn),
      MANY(all_others_work_while_one_is_slow),
      ONE(a_repeated_ticket_keeps_its_place),
      MANY(a_repeated_ticket_keeps_its_place),
      ONE(a_ticket_can_be_repeated_twice),
      MANY(a_ticket_can_be_repeated_twice),
      ONE(what_is_dropped_has_no_reply),
      MANY(what_is_dropped_has_no_reply),
      MANY(early_replies_are_dropped_too),
      ONE(what_was_conditional_is_skipped),
      MANY(what_was_conditional_is_skipped),
      MANY(early_replies_are_skipped_too),
      ONE(a_program_that_cannot_be_run_is_said),
      MANY(a_program_that_cannot_be_run_is_said),
      ONE(lanes_do_not_wait_for_each_other),
      MANY(lanes_do_not_wait_for_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
