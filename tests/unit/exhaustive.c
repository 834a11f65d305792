/* SPDX-License-Identifier: MIT
 *
 * The strategy `exhaustive` against a make-believe executor: threads of a few steps each that never block, some of
 * whose steps have alternatives. Every schedule comes exactly once, also with many runs under way; the preemption bound
 * leaves out what it should.
 */
#include "unit.h"

#include "explore/strategy/strategy.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 64
#define MAX_WINDOW 64

struct program {
  unsigned n_threads, first_thread; /* thread ids from first_thread on */
  unsigned steps[4];
  unsigned alternatives[4]; /* of the first step of each thread */
};

struct run {
  struct trace record;
  struct event events[MAX_STEPS];
  uint64_t words[MAX_STEPS * 4];
};

/* Performs a target as the runtime does: the prefix, then the same thread as long as it can move. */
static void perform(const struct program *program, const struct target *target, struct run *run,
                    struct step *schedule) {
  unsigned done[4] = {0}, total = 0, n_events = 0, n_words = 0, current = 0;
  for (unsigned t = 0; t < program->n_threads; t++) total += program->steps[t];
  const unsigned last = program->first_thread + program->n_threads - 1, set_words = last / 64 + 1;
  memset(run, 0, sizeof *run);
  struct event *events = run->events;
  for (unsigned i = 0; i < total; i++) {
    if (i < target->prefix.count) {
      current = target->prefix.items[i].thread - program->first_thread;
    } else if (done[current] == program->steps[current]) {
      for (current = 0; done[current] == program->steps[current];) current++;
    }
    const unsigned alternatives =
        done[current] == 0 && program->alternatives[current] ? program->alternatives[current] : 1;
    schedule[i] = (struct step){(thread_id)(current + program->first_thread),
                                i < target->prefix.count ? target->prefix.items[i].alternative : 0};
    assert_true(schedule[i].alternative < alternatives);
    if (i >= target->plan.record_from) {
      struct event *event = &events[n_events++];
      *event = (struct event){.kind = EVENT_WRITE,
                              .flags = EVENT_VISIBLE,
                              .thread = schedule[i].thread,
                              .alternative = schedule[i].alternative,
                              .alternatives = (uint16_t)alternatives};
      uint64_t set[4] = {0};
      for (unsigned t = 0; t < program->n_threads; t++)
        if (done[t] < program->steps[t])
          set[(t + program->first_thread) / 64] |= 1ull << (t + program->first_thread) % 64;
      if (set_words == 1) {
        event->enabled = set[0];
      } else {
        event->flags |= EVENT_WIDE;
        event->enabled = n_words;
        memcpy(run->words + n_words, set, set_words * 8);
        n_words += set_words;
      }
    }
    assert_true(done[current] < program->steps[current]);
    done[current]++;
  }
  run->record.outcome = OUTCOME_FINISHED;
  run->record.n_threads = (uint16_t)(last + 1);
  run->record.n_steps = total;
  run->record.n_events = n_events;
  run->record.n_words = n_words;
}

struct results {
  unsigned runs;
  unsigned steps;
  bool bounded;
};

static int compare_schedules(const void *a, const void *b) {
  return memcmp(a, b, MAX_STEPS * sizeof(struct step));
}

static struct results explore(const struct program *program, uint64_t max_preemptions, unsigned window) {
  const struct strategy *strategy = strategy_find("exhaustive");
  const struct bound_settings own = {max_preemptions};
  const struct strategy_settings settings = {.seed = 1, .own = &own};
  void *self = strategy->create(&settings);
  struct {
    struct run run;
    void *cookie;
  } *flights = calloc(MAX_WINDOW, sizeof *flights);
  struct step(*schedules)[MAX_STEPS] = calloc(100000, sizeof *schedules);
  struct results results = {0};
  if (window > strategy->window) window = strategy->window;
  for (bool more = true; more;) {
    unsigned under_way = 0;
    while (under_way < window) {
      struct target target = {0};
      more = strategy->next(self, &target);
      if (more) {
        perform(program, &target, &flights[under_way].run, schedules[results.runs++]);
        flights[under_way++].cookie = target.cookie;
      }
      free(target.prefix.items);
      if (!more) break;
    }
    more = under_way > 0;
    for (unsigned i = 0; i < under_way; i++) {
      const struct run *run = &flights[i].run;
      const struct trace_view view = {
          .record = &run->record, .events = run->events, .words = run->words, .message = ""};
      strategy->absorb(self, flights[i].cookie, &view, NULL, 1);
    }
  }
  qsort(schedules, results.runs, sizeof *schedules, compare_schedules);
  for (unsigned i = 1; i < results.runs; i++) assert_true(compare_schedules(schedules[i - 1], schedules[i]) < 0);
  struct strategy_stats stats;
  strategy->stats(self, &stats);
  assert_true(stats.left == 0);
  assert_true(strategy->part_done(self) > 0.999999);
  results.bounded = stats.bounded;
  strategy->destroy(self);
  free(flights);
  free(schedules);
  return results;
}

static void two_threads_give_binomials(void **state) {
  static const unsigned counts[] = {1, 2, 6, 20, 70, 252, 924, 3432, 12870, 48620};
  for (unsigned n = 1; n < 10; n++) {
    const struct program program = {.n_threads = 2, .steps = {n, n}};
    assert_int_equal(explore(&program, NO_LIMIT, 1).runs, counts[n]);
    assert_int_equal(explore(&program, NO_LIMIT, MAX_WINDOW).runs, counts[n]);
  }
}

static void three_threads_give_multinomials(void **state) {
  const struct program even = {.n_threads = 3, .steps = {3, 3, 3}}, uneven = {.n_threads = 3, .steps = {1, 2, 4}};
  assert_int_equal(explore(&even, NO_LIMIT, 7).runs, 1680);
  assert_int_equal(explore(&uneven, NO_LIMIT, 64).runs, 105);
}

static void high_thread_ids_work(void **state) {
  for (unsigned first = 60; first < 140; first += 13) {
    const struct program program = {.n_threads = 3, .first_thread = first, .steps = {2, 2, 2}};
    assert_int_equal(explore(&program, NO_LIMIT, 5).runs, 90);
  }
}

static void alternatives_multiply(void **state) {
  const struct program program = {.n_threads = 2, .steps = {2, 2}, .alternatives = {3, 2}};
  assert_int_equal(explore(&program, NO_LIMIT, 1).runs, 6 * 6);
  assert_int_equal(explore(&program, NO_LIMIT, 64).runs, 6 * 6);
}

static void preemptions_are_bounded(void **state) {
  const struct program program = {.n_threads = 2, .steps = {3, 3}};
  /* Two blocks; one thread interrupted once: 2 threads x 2 places; ... all 20 with enough. */
  assert_int_equal(explore(&program, 0, 1).runs, 2);
  assert_int_equal(explore(&program, 1, 64).runs, 2 + 4);
  assert_int_equal(explore(&program, 100, 64).runs, 20);
  assert_true(explore(&program, 0, 1).bounded);
  assert_false(explore(&program, 100, 1).bounded);
  assert_false(explore(&program, NO_LIMIT, 1).bounded);
  unsigned before = 0;
  for (uint64_t bound = 0; bound < 6; bound++) {
    const unsigned runs = explore(&program, bound, 8).runs;
    assert_true(runs >= before);
    before = runs;
  }
  assert_int_equal(before, 20);
}

static void strategies_are_found_by_name(void **state) {
  for (unsigned i = 0; strategy_at(i); i++) {
    assert_ptr_equal(strategy_find(strategy_at(i)->name), strategy_at(i));
    assert_true(strlen(strategy_at(i)->help) > 0);
  }
  assert_null(strategy_find("no such strategy"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_threads_give_binomials), cmocka_unit_test(three_threads_give_multinomials),
      cmocka_unit_test(high_thread_ids_work),       cmocka_unit_test(alternatives_multiply),
      cmocka_unit_test(preemptions_are_bounded),    cmocka_unit_test(strategies_are_found_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
