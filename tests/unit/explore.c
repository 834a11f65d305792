/* SPDX-License-Identifier: MIT
 *
 * The loop of src/explore/loop/explore.c with a make-believe strategy and executor: what is counted, what is repeated,
 * when the strategy starts again, and above all what may call itself complete.
 */
#include "fake_executor.h"

#include "explore/executor/knowledge.h"
#include "explore/loop/explore.h"

#define TARGETS 10
#define LEARNING_RUNS 20 /* when nothing turns out to be shared */

/* --- a strategy with ten targets, target i with a prefix of i steps --- */

struct make_believe {
  uint64_t yielded;
};

static unsigned strategies; /* that were created */
static unsigned absorbed[TARGETS];
static enum outcome outcomes[TARGETS];

static void *create(const struct strategy_settings *settings) {
  strategies++;
  memset(absorbed, 0, sizeof absorbed);
  return memory_allocate(sizeof(struct make_believe));
}

static bool next(void *self, struct target *target) {
  struct make_believe *strategy = self;
  if (strategy->yielded == TARGETS) return false;
  memset(schedule_extend(&target->prefix, strategy->yielded), 0, strategy->yielded * sizeof(struct step));
  target->cookie = (void *)(uintptr_t)strategy->yielded++;
  return true;
}

static void absorb(void *self, void *cookie, const struct trace_view *trace, const struct path *path, uint64_t runs) {
  absorbed[(uintptr_t)cookie]++;
  outcomes[(uintptr_t)cookie] = trace->record->outcome;
}

static void stats(const void *self, struct strategy_stats *stats) {
  stats->left = TARGETS - ((const struct make_believe *)self)->yielded;
}

static const struct strategy make_believe = {.name = "make-believe",
                                             .window = 3,
                                             .default_max_runs = NO_LIMIT,
                                             .create = create,
                                             .destroy = free,
                                             .next = next,
                                             .absorb = absorb,
                                             .stats = stats};

/* --- exploring with a script --- */

static volatile sig_atomic_t interrupted;
static struct summary summary;
static struct explore_result result;
static size_t findings, warnings;
static bool keep_going;
static uint64_t absorbed_at_verdict; /* runs that were counted when the first bug was told */
static char told[1024];              /* the warnings, in order */

static void note_end(void *self, const struct summary *end) {
  summary = *end;
  findings = end->findings->list.count;
  warnings = end->n_warnings;
}

static void note_warning(void *self, const char *message) {
  strncat(told, message, sizeof told - strlen(told) - 1);
}

static void note_bug(void *self, const struct finding *finding) {
  for (unsigned i = 0; finding->number == 1 && i < TARGETS; i++) absorbed_at_verdict += absorbed[i];
}

static bool run(void (*script)(const struct fake_run *run, struct fake_answer *answer), uint64_t max_runs) {
  const struct explore_settings settings = {.executor = {.max_events = 100},
                                            .strategy = &make_believe,
                                            .seed = 1,
                                            .max_runs = max_runs,
                                            .solver_timeout_milliseconds = 100,
                                            .keep_going = keep_going,
                                            .sought = UINT64_MAX,
                                            .ends_search = keep_going ? 0 : UINT64_MAX,
                                            .interrupted = &interrupted};
  const struct observer observer = {.end = note_end, .bug = note_bug, .warning = note_warning};
  struct error error;
  fake_script = script;
  fake_executors = strategies = 0;
  interrupted = 0;
  findings = warnings = SIZE_MAX;
  absorbed_at_verdict = 0;
  told[0] = 0;
  summary = (struct summary){0};
  result = (struct explore_result){0};
  return explore(&settings, &observer, 1, &result, &error);
}

static bool is_learning(const struct fake_run *run) {
  return run->executor == 0 && run->plan->flags & PLAN_PUBLISH_ALL;
}

/* The run for target i: by the exploration itself. */
static bool is_target(const struct fake_run *run, uint32_t i) {
  return run->executor == 0 && !is_learning(run) && run->plan->n_steps == i;
}

static void expect_all_absorbed_once(void) {
  for (unsigned i = 0; i < TARGETS; i++) assert_int_equal(absorbed[i], 1);
}

static void expect_complete(void) {
  assert_true(result.complete && summary.complete);
  assert_false(result.found_bug);
  assert_int_equal(summary.reason, REASON_NONE);
  assert_int_equal(summary.runs, TARGETS);
  expect_all_absorbed_once();
}

static void expect_incomplete(enum reason reason) {
  assert_false(result.complete || summary.complete);
  assert_int_equal(summary.reason, reason);
}

static void go_well(const struct fake_run *run, struct fake_answer *answer) {}

static void everything_is_explored(void **state) {
  assert_true(run(go_well, NO_LIMIT));
  expect_complete();
  assert_int_equal(summary.learning_runs, LEARNING_RUNS);
  assert_int_equal(summary.visible_operations, 45);
  assert_int_equal(warnings, 0);
}

static void a_limit_is_said(void **state) {
  assert_true(run(go_well, 4));
  expect_incomplete(REASON_MAX_RUNS);
  assert_int_equal(summary.runs, 4);
}

/* --- runs that are lost --- */

static void vanish_once(const struct fake_run *run, struct fake_answer *answer) {
  if (is_target(run, 5) && run->attempt == 0) answer->outcome = OUTCOME_VANISHED, answer->status = 9;
}

static void a_lost_run_is_made_again(void **state) {
  assert_true(run(vanish_once, NO_LIMIT));
  expect_complete();
  assert_int_equal(outcomes[5], OUTCOME_FINISHED);
  assert_int_equal(warnings, 1);
}

static void vanish_twice(const struct fake_run *run, struct fake_answer *answer) {
  if (is_target(run, 5)) answer->outcome = OUTCOME_VANISHED, answer->status = 9;
}

/* Repeating it in another executor shows nothing: no bug, but no proof either. */
static void a_run_lost_twice_is_no_proof(void **state) {
  assert_true(run(vanish_twice, NO_LIMIT));
  expect_incomplete(REASON_UNREPEATABLE);
  assert_false(result.found_bug);
  assert_int_equal(findings, 0);
}

static void diverge_once(const struct fake_run *run, struct fake_answer *answer) {
  if (is_target(run, 5) && run->attempt == 0) answer->n_steps = 3;
}

static void a_run_that_left_its_plan_is_made_again(void **state) {
  assert_true(run(diverge_once, NO_LIMIT));
  expect_complete();
  assert_int_equal(summary.divergences, 1);
  assert_int_equal(warnings, 1);
}

static void diverge_always(const struct fake_run *run, struct fake_answer *answer) {
  if (is_target(run, 5)) answer->n_steps = 3;
}

static void a_program_that_differs_is_no_proof(void **state) {
  assert_true(run(diverge_always, NO_LIMIT));
  expect_incomplete(REASON_DIFFERENT);
  assert_int_equal(summary.divergences, 2);
}

/* --- failures --- */

/* The schedule of a finding is made of events, which make-believe runs do not have: repetitions have no steps. */
static void fail_at(site_id site, struct fake_answer *answer) {
  answer->outcome = OUTCOME_ASSERTION;
  answer->site = site;
  answer->n_steps = 5;
}

static void fail_always(const struct fake_run *run, struct fake_answer *answer) {
  if (run->executor > 0 || run->plan->n_steps >= 5) fail_at(17, answer);
}

static void a_failure_that_repeats_is_a_bug(void **state) {
  assert_true(run(fail_always, NO_LIMIT));
  expect_incomplete(REASON_FIRST_BUG);
  assert_true(result.found_bug);
  assert_int_equal(findings, 1);
  assert_int_equal(absorbed[TARGETS - 1], 0); /* nothing new was begun */
}

static void fail_only_here(const struct fake_run *run, struct fake_answer *answer) {
  if (is_target(run, 5)) fail_at(17, answer);
}

static void a_failure_that_does_not_repeat_is_no_bug(void **state) {
  assert_true(run(fail_only_here, NO_LIMIT));
  expect_incomplete(REASON_UNREPEATABLE);
  assert_false(result.found_bug);
  assert_int_equal(summary.runs, TARGETS); /* the others are still explored */
  assert_int_equal(warnings, 1);
}

static void fail_elsewhere_next_time(const struct fake_run *run, struct fake_answer *answer) {
  if (run->executor > 0 || is_target(run, 5)) fail_at(run->executor > 0 ? 18 : 17, answer);
}

static void a_failure_at_another_place_is_another(void **state) {
  assert_true(run(fail_elsewhere_next_time, NO_LIMIT));
  expect_incomplete(REASON_UNREPEATABLE);
  assert_false(result.found_bug);
}

/* --- while others are examined --- */

static unsigned slowness, times_asked; /* of the executors that repeat failing runs */

static bool is_slow(const struct fake_run *run, struct fake_answer *answer) {
  answer->not_yet = run->executor > 0 && times_asked++ % (slowness + 1) < slowness;
  return answer->not_yet;
}

/* One failure that does not happen again, then a run that leaves its plan, then two bugs, of which one shows twice. */
static void fail_in_many_ways(const struct fake_run *run, struct fake_answer *answer) {
  if (is_slow(run, answer)) return;
  if (run->executor > 0) {
    if (run->plan->seed > 0) fail_at((site_id)run->plan->seed, answer);
    return;
  }
  if (is_target(run, 2)) fail_at(17, answer);
  if (is_target(run, 3)) answer->n_steps = 1;
  if (is_target(run, 4) || is_target(run, 6)) fail_at(18, answer), answer->seed = 18;
  if (is_target(run, 5)) fail_at(19, answer), answer->seed = 19;
}

static void expect_many_ways(void) {
  assert_true(run(fail_in_many_ways, NO_LIMIT));
  expect_incomplete(REASON_UNREPEATABLE); /* the first, although another came while it was examined */
  assert_int_equal(summary.runs, TARGETS);
  assert_int_equal(summary.divergences, 2);
  assert_int_equal(findings, 2);
  assert_int_equal(warnings, 2);
  expect_all_absorbed_once();
  assert_non_null(strstr(told, "could not be repeated"));
  assert_non_null(strstr(told, "behaves differently"));
  assert_true(strstr(told, "could not be repeated") < strstr(told, "behaves differently"));
}

static void how_long_an_examination_takes_changes_nothing(void **state) {
  keep_going = true;
  slowness = 0;
  expect_many_ways();
  const uint64_t soon = absorbed_at_verdict;
  slowness = 100;
  expect_many_ways();
  assert_true(absorbed_at_verdict > soon); /* the exploration went on */
  keep_going = false;
}

/* If the first bug ends the exploration, nothing is looked at before it is known to be one. */
static void fail_slowly(const struct fake_run *run, struct fake_answer *answer) {
  if (!is_slow(run, answer)) fail_always(run, answer);
}

static void the_first_bug_ends_it_however_slowly(void **state) {
  for (slowness = 0; slowness <= 100; slowness += 50) {
    assert_true(run(fail_slowly, NO_LIMIT));
    expect_incomplete(REASON_FIRST_BUG);
    assert_int_equal(findings, 1);
    assert_int_equal(summary.runs, 8); /* targets 0 to 5, and two that were under way */
  }
}

static void cut_short(const struct fake_run *run, struct fake_answer *answer) {
  if (is_target(run, 7)) answer->outcome = OUTCOME_TOO_MANY_EVENTS;
}

static void a_run_cut_short_is_no_proof(void **state) {
  assert_true(run(cut_short, NO_LIMIT));
  expect_incomplete(REASON_CUT_SHORT);
  assert_int_equal(summary.truncated_runs, 1);
}

/* --- what all runs share --- */

static void share_more(const struct fake_run *run, struct fake_answer *answer) {
  if (is_target(run, 5) && strategies == 1) answer->flags = TRACE_SHARED_GREW;
}

/* Those under way are awaited: three were. */
static void more_that_is_shared_starts_again(void **state) {
  assert_true(run(share_more, NO_LIMIT));
  expect_complete();
  assert_int_equal(strategies, 2);
  assert_int_equal(summary.learning_runs, LEARNING_RUNS + 8);
}

static void name_thread(struct knowledge *knowledge) {
  const struct thread_name name = {0, 3};
  knowledge->threads[0] = name;
  knowledge->seal += sealed_thread(0, name);
  atomic_store(&knowledge->n_threads, 1);
}

static void learn_and_overwrite(const struct fake_run *run, struct fake_answer *answer) {
  if (is_learning(run) && run->plan->ticket == 2) name_thread(run->knowledge);
  if (is_target(run, 5)) run->knowledge->threads[0].index ^= 1;
}

static void learn(const struct fake_run *run, struct fake_answer *answer) {
  if (is_learning(run) && run->plan->ticket == 2) name_thread(run->knowledge);
}

static void knowledge_written_over_is_no_proof(void **state) {
  assert_true(run(learn, NO_LIMIT));
  expect_complete();
  assert_true(run(learn_and_overwrite, NO_LIMIT));
  expect_incomplete(REASON_DAMAGED);
  assert_int_equal(warnings, 1);
}

static void damage(const struct fake_run *run, struct fake_answer *answer) {
  if (!is_target(run, 5) || run->attempt > 0) return;
  answer->outcome = OUTCOME_VANISHED;
  answer->damaged = true;
}

static void a_trace_written_over_is_no_proof(void **state) {
  assert_true(run(damage, NO_LIMIT));
  expect_incomplete(REASON_DAMAGED);
  assert_int_equal(summary.runs, TARGETS);
}

static void fill_a_table(const struct fake_run *run, struct fake_answer *answer) {
  run->knowledge->overflow = 1;
}

static void a_full_table_is_no_proof(void **state) {
  assert_true(run(fill_a_table, NO_LIMIT));
  expect_incomplete(REASON_TABLE_FULL);
}

/* --- ends --- */

static void break_down(const struct fake_run *run, struct fake_answer *answer) {
  answer->cannot_run = is_target(run, 5);
}

static void what_was_run_counts_when_the_program_breaks(void **state) {
  assert_true(run(break_down, NO_LIMIT));
  expect_incomplete(REASON_NOT_RUNNABLE);
  assert_int_equal(summary.runs, 5);
}

static void never_run(const struct fake_run *run, struct fake_answer *answer) {
  answer->cannot_run = true;
}

static void a_program_that_never_runs_is_an_error(void **state) {
  assert_false(run(never_run, NO_LIMIT));
  assert_int_equal(findings, SIZE_MAX); /* nothing is reported */
}

static void interrupt(const struct fake_run *run, struct fake_answer *answer) {
  if (is_learning(run) && run->plan->ticket == 3) interrupted = 1;
}

static void an_interrupt_is_no_proof(void **state) {
  assert_true(run(interrupt, NO_LIMIT));
  expect_incomplete(REASON_INTERRUPTED);
  assert_int_equal(summary.runs, 0);
  assert_int_equal(strategies, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_is_explored),
      cmocka_unit_test(a_limit_is_said),
      cmocka_unit_test(a_lost_run_is_made_again),
      cmocka_unit_test(a_run_lost_twice_is_no_proof),
      cmocka_unit_test(a_run_that_left_its_plan_is_made_again),
      cmocka_unit_test(a_program_that_differs_is_no_proof),
      cmocka_unit_test(a_failure_that_repeats_is_a_bug),
      cmocka_unit_test(a_failure_that_does_not_repeat_is_no_bug),
      cmocka_unit_test(a_failure_at_another_place_is_another),
      cmocka_unit_test(how_long_an_examination_takes_changes_nothing),
      cmocka_unit_test(the_first_bug_ends_it_however_slowly),
      cmocka_unit_test(a_run_cut_short_is_no_proof),
      cmocka_unit_test(more_that_is_shared_starts_again),
      cmocka_unit_test(knowledge_written_over_is_no_proof),
      cmocka_unit_test(a_trace_written_over_is_no_proof),
      cmocka_unit_test(a_full_table_is_no_proof),
      cmocka_unit_test(what_was_run_counts_when_the_program_breaks),
      cmocka_unit_test(a_program_that_never_runs_is_an_error),
      cmocka_unit_test(an_interrupt_is_no_proof),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
