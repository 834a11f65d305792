/* SPDX-License-Identifier: MIT
 *
 * src/explore/loop/findings.c: which runs show one bug, and that a failure counts only when it happens again, in the
 * same way, in another executor.
 */
#include "fake_executor.h"

#include "explore/executor/knowledge.h"
#include "explore/loop/findings.h"

/* --- traces with pending threads or steps --- */

struct made {
  struct trace record;
  union {
    struct pending pendings[2];
    struct event events[4];
  };
};

static struct trace_view open_made(struct made *made) {
  struct trace_view view;
  made->record.size_bytes = sizeof *made;
  made->record.n_threads = 3;
  assert_true(trace_open(&view, &made->record, sizeof *made));
  return view;
}

static struct made ended(enum outcome outcome, thread_id thread, site_id site, uint32_t n_steps) {
  return (struct made){.record = {.outcome = outcome, .thread = thread, .site = site, .n_steps = n_steps}};
}

static struct made deadlock(site_id a, uint8_t blocked_a, site_id b, uint8_t blocked_b) {
  struct made made = ended(OUTCOME_DEADLOCK, 0, 0, 4);
  made.record.n_pending = 2;
  made.pendings[0] = (struct pending){.thread = 1, .kind = EVENT_MUTEX_LOCK, .site = a, .blocked = blocked_a};
  made.pendings[1] = (struct pending){.thread = 2, .kind = EVENT_MUTEX_LOCK, .site = b, .blocked = blocked_b};
  return made;
}

static void expect_same(struct made a, struct made b, bool same_bug, bool same_failure) {
  const struct trace_view x = open_made(&a), y = open_made(&b);
  assert_int_equal(finding_same_bug(&x, &y), same_bug);
  assert_int_equal(finding_same_bug(&y, &x), same_bug);
  assert_int_equal(finding_same_failure(&x, &y), same_failure);
  assert_int_equal(finding_same_failure(&y, &x), same_failure);
}

static void a_bug_is_an_outcome_at_a_place(void **state) {
  const struct made assertion = ended(OUTCOME_ASSERTION, 1, 17, 5);
  expect_same(assertion, assertion, true, true);
  expect_same(assertion, ended(OUTCOME_ASSERTION, 1, 18, 5), false, false);
  expect_same(assertion, ended(OUTCOME_SIGNAL, 1, 17, 5), false, false);
  expect_same(assertion, ended(OUTCOME_ASSERTION, 2, 17, 5), true, false); /* another thread */
  expect_same(assertion, ended(OUTCOME_ASSERTION, 1, 17, 6), true, false); /* another way there */
}

static void a_deadlock_is_who_waits_where(void **state) {
  expect_same(deadlock(7, 1, 8, 1), deadlock(8, 1, 7, 1), true, true);
  expect_same(deadlock(7, 1, 8, 1), deadlock(7, 1, 9, 1), false, false);
  expect_same(deadlock(7, 1, 8, 1), deadlock(7, 1, 8, 0), false, false); /* there only one waits */
  expect_same(deadlock(7, 1, 8, 0), deadlock(7, 1, 9, 0), true, true);   /* who does not wait has no part */
}

static void a_data_race_has_two_places(void **state) {
  struct made one = ended(OUTCOME_DATA_RACE, 1, 7, 5), other = ended(OUTCOME_DATA_RACE, 1, 8, 5);
  one.record.status = 8;
  other.record.status = 7;
  expect_same(one, other, true, true);
  other.record.status = 9;
  expect_same(one, other, false, false);
}

static void where_a_run_vanished_is_chance(void **state) {
  struct made one = ended(OUTCOME_VANISHED, 1, 7, 5), other = ended(OUTCOME_VANISHED, 2, 8, 9);
  expect_same(one, other, true, true);
  other.record.status = 9;
  expect_same(one, other, false, false);
}

/* --- adding --- */

static struct findings findings;
static struct knowledge *known, *now;
static const struct executor_settings settings = {.max_events = 100};
static unsigned repetitions;

static int set_up(void **state) {
  findings = (struct findings){.settings = &settings};
  known = memory_allocate(sizeof *known);
  now = memory_allocate(sizeof *now);
  repetitions = fake_executors = 0;
  return 0;
}

static int tear_down(void **state) {
  findings_free(&findings);
  free(known);
  free(now);
  return 0;
}

static enum finding_result add(enum outcome outcome, site_id site, uint32_t n_steps, struct text *words) {
  struct made made = ended(outcome, 0, site, n_steps);
  const struct plan plan = {.runs = 1};
  struct reply reply = {.plan = &plan, .plan_done = true};
  reply.trace = open_made(&made);
  return findings_add(&findings, &reply, ISOLATION_RESET, known, now, words);
}

static enum finding_result add_assertion(site_id site) {
  struct text words = {0};
  const enum finding_result result = add(OUTCOME_ASSERTION, site, 0, &words);
  assert_int_equal(words.length > 0, result == FINDING_LOST);
  text_free(&words);
  return result;
}

static void fail_again(const struct fake_run *run, struct fake_answer *answer) {
  repetitions++;
  answer->outcome = OUTCOME_ASSERTION;
  answer->site = 17;
}

static void runs_with_one_bug_are_one_finding(void **state) {
  fake_script = fail_again;
  assert_int_equal(add_assertion(17), FINDING_NEW);
  assert_int_equal(add_assertion(17), FINDING_KNOWN);
  assert_int_equal(findings.list.count, 1);
  assert_int_equal(findings.list.items[0]->runs, 2);
  assert_int_equal(findings.list.items[0]->number, 1);
  assert_true(repetitions >= 1);
}

static void a_failure_elsewhere_does_not_confirm(void **state) {
  fake_script = fail_again;
  assert_int_equal(add_assertion(18), FINDING_LOST);
  assert_int_equal(findings.list.count, 0);
  const unsigned before = repetitions;
  assert_int_equal(add_assertion(18), FINDING_KNOWN); /* lost once is enough */
  assert_int_equal(repetitions, before);
}

static void go_well(const struct fake_run *run, struct fake_answer *answer) {
  repetitions++;
}

static void a_run_that_goes_well_does_not_confirm(void **state) {
  struct text words = {0};
  fake_script = go_well;
  assert_int_equal(add(OUTCOME_ASSERTION, 17, 4, &words), FINDING_LOST);
  assert_non_null(strstr(text_string(&words), "after 4 steps and could not be repeated"));
  assert_non_null(strstr(text_string(&words), "after 0 steps; they part at step 1"));
  text_free(&words);
  assert_int_equal(repetitions, 1); /* nothing more is known now that could be tried */
}

/* It takes what was found to be shared since the plan began. */
static void fail_if_shared(const struct fake_run *run, struct fake_answer *answer) {
  repetitions++;
  if (knowledge_shared(run->knowledge) == 0) return;
  answer->outcome = OUTCOME_ASSERTION;
  answer->site = 17;
}

static void what_is_known_now_is_tried_too(void **state) {
  fake_script = fail_if_shared;
  now->shared[0] = (struct shared_granule){0x1000, 1};
  atomic_store(&now->n_shared, 1);
  assert_int_equal(add_assertion(17), FINDING_NEW);
  assert_int_equal(knowledge_shared(findings.list.items[0]->knowledge), 1);
}

static void cannot_run(const struct fake_run *run, struct fake_answer *answer) {
  answer->cannot_run = true;
}

static void a_program_that_cannot_be_run_does_not_confirm(void **state) {
  fake_script = cannot_run;
  assert_int_equal(add_assertion(17), FINDING_LOST);
}

/* --- the schedule --- */

static uint32_t repeated_steps;

static void note_steps(const struct fake_run *run, struct fake_answer *answer) {
  repeated_steps = run->plan->n_steps;
}

static struct event step_of(thread_id thread) {
  return (struct event){.thread = thread, .kind = EVENT_WRITE, .flags = EVENT_VISIBLE, .alternatives = 1};
}

/* Events from the third step on were recorded: those before are the plan's. */
static void the_schedule_is_the_plans_and_then_the_runs(void **state) {
  struct made made = ended(OUTCOME_ASSERTION, 0, 17, 4);
  made.record.n_events = 2;
  made.events[0] = step_of(2);
  made.events[1] = step_of(0);
  struct {
    struct plan plan;
    struct step steps[4];
  } plan = {.plan = {.runs = 1, .n_steps = 3, .record_from = 2}};
  for (thread_id t = 0; t < 3; t++) plan.steps[t] = (struct step){(thread_id)(t + 4), 0};
  struct reply reply = {.plan = &plan.plan, .plan_done = true, .trace = open_made(&made)};
  struct text words = {0};
  fake_script = note_steps;
  findings_add(&findings, &reply, ISOLATION_RESET, known, now, &words);
  text_free(&words);
  static const thread_id expected[] = {4, 5, 2, 0};
  assert_int_equal(repeated_steps, 4);
  for (unsigned i = 0; i < 4; i++) assert_int_equal(fake_steps[i].thread, expected[i]);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bug_is_an_outcome_at_a_place),
      cmocka_unit_test(a_deadlock_is_who_waits_where),
      cmocka_unit_test(a_data_race_has_two_places),
      cmocka_unit_test(where_a_run_vanished_is_chance),
      TEST(runs_with_one_bug_are_one_finding),
      TEST(a_failure_elsewhere_does_not_confirm),
      TEST(a_run_that_goes_well_does_not_confirm),
      TEST(what_is_known_now_is_tried_too),
      TEST(a_program_that_cannot_be_run_does_not_confirm),
      TEST(the_schedule_is_the_plans_and_then_the_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
