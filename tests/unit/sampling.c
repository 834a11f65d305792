/* SPDX-License-Identifier: MIT
 *
 * src/explore/sampling: with several batches under way, and whenever one of them ends early, run k has seed + k, and no
 * run is left out or made twice.
 */
#include "unit.h"

#include "explore/sampling/sampling.h"

#define MOST_TARGETS 16
#define SEED 1000

struct asked {
  uint64_t seed, runs;
  bool is_conditional;
};

static struct asked queue[MOST_TARGETS];
static size_t n_queued;

static void fill_queue(struct sampling *sampling) {
  struct target target = {0};
  while (n_queued < MOST_TARGETS && sampling_next(sampling, &target)) {
    queue[n_queued++] = (struct asked){target.plan.seed, target.plan.runs, (target.plan.flags & PLAN_CONDITIONAL) != 0};
    target = (struct target){0};
  }
}

static void take_first(void) {
  n_queued--;
  for (size_t i = 0; i < n_queued; i++) queue[i] = queue[i + 1];
}

/* The loop's part: what depends on a run that was not quiet is not run. */
static void answer(struct sampling *sampling, uint64_t runs, enum outcome outcome) {
  const struct trace record = {.outcome = outcome, .run = (uint32_t)(runs - 1), .n_threads = 2, .plan_steps = runs};
  const struct trace_view view = {.record = &record};
  take_first();
  while (outcome != OUTCOME_FINISHED && n_queued > 0 && queue[0].is_conditional) take_first();
  sampling_absorb(sampling, NULL, &view, NULL, runs);
}

/* Every loud-th run fails; 0: none does. */
static void sample(uint64_t loud) {
  const struct strategy_settings settings = {.seed = SEED};
  struct sampling *sampling = sampling_create(&settings);
  size_t most = 0;
  n_queued = 0;
  for (uint64_t next = 0; next < 5000;) {
    fill_queue(sampling);
    most = n_queued > most ? n_queued : most;
    assert_int_equal(queue[0].seed, SEED + next);
    assert_true(queue[0].runs > 0 && !(next == 0 && queue[0].is_conditional));
    const uint64_t until_loud = loud ? loud - next % loud : UINT64_MAX;
    const bool is_loud = until_loud <= queue[0].runs;
    const uint64_t runs = is_loud ? until_loud : queue[0].runs;
    answer(sampling, runs, is_loud ? OUTCOME_ASSERTION : OUTCOME_FINISHED);
    next += runs;
  }
  assert_int_equal(most, SAMPLING_WINDOW);
  sampling_destroy(sampling);
}

static void runs_follow_each_other(void **state) {
  sample(0);
}

static void runs_after_a_failure_are_made(void **state) {
  for (uint64_t loud = 1; loud < 100; loud += 3) sample(loud);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_follow_each_other),
      cmocka_unit_test(runs_after_a_failure_are_made),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
