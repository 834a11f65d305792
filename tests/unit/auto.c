/* SPDX-License-Identifier: MIT
 *
 * The strategy `auto` against a make-believe executor (machine.h), with slices so short that all parts have turns. All
 * interleavings are gone through beside it: when it says that it has seen everything, its runs have come to every state
 * of memory that there is, and to a failure where there is one, whoever of the parts was first. The runs observe
 * something, so that contextual, which does not show all that threads come to together, has no trial.
 *
 * Where they observe nothing, all that each thread can read is compared instead. Contextual is shown runs of optimal
 * then, and leads in some of the programs.
 */
#include "machine.h"

#include "explore/auto/auto.h"

#include <stdlib.h>

#define WINDOW 16u
#define MOST_STATES 4096u
#define SLICE 6u

struct states {
  uint8_t memory[MOST_STATES][WORDS * 8];
  size_t count;
  bool fails;
};

static void add_state(struct states *states, const struct machine *machine) {
  states->fails |= machine->has_failed;
  if (machine->has_failed) return;
  for (size_t i = 0; i < states->count; i++)
    if (memcmp(states->memory[i], machine->memory, sizeof machine->memory) == 0) return;
  assert_true(states->count < MOST_STATES);
  memcpy(states->memory[states->count++], machine->memory, sizeof machine->memory);
}

static void enumerate(const struct program *program, const struct machine *machine, struct states *states) {
  if (!movable(program, machine)) add_state(states, machine);
  for (unsigned t = 0; t < program->n_threads; t++) {
    if (!can_move(program, machine, t)) continue;
    struct machine next = *machine;
    move(program, &next, t);
    enumerate(program, &next, states);
  }
}

static void absorb(const struct strategy *strategy, void *self, struct run *run) {
  run->record.adds.n_observed = 1;
  const struct trace_view view = {.record = &run->record,
                                  .events = run->machine.events + run->record_from,
                                  .pendings = run->pendings,
                                  .message = ""};
  strategy->absorb(self, run->cookie, &view, NULL, 1);
}

/* A batch of a part that samples is one run here. */
static unsigned start_runs(const struct strategy *strategy, void *self, const struct program *program,
                           struct run *runs) {
  unsigned under_way = 0;
  for (bool more = true; more && under_way < WINDOW;) {
    struct target target = {.plan = {.runs = 1}};
    more = strategy->next(self, &target);
    if (more) perform(program, &target, &runs[under_way++]);
    free(target.prefix.items);
    free(target.sleepers.items);
  }
  return under_way;
}

static void check_end(const struct strategy *strategy, const void *self) {
  struct strategy_stats stats;
  strategy->stats(self, &stats);
  assert_null(stats.defect);
  assert_int_equal(stats.left, 0);
  assert_int_equal(stats.divergences, 0);
}

/* Which parts had turns, as a set of the letters that their names begin with. */
static uint32_t explore(const struct program *program, uint64_t seed, struct states *states) {
  const struct strategy *strategy = strategy_find("auto");
  const struct auto_settings own = {.pct = {.depth = 3}, .slice = SLICE};
  const struct strategy_settings settings = {
      .seed = seed, .expected_steps = MAX_STEPS, .max_events = MAX_STEPS, .is_saved = true, .own = &own};
  void *self = strategy->create(&settings);
  static struct run runs[WINDOW];
  unsigned under_way;
  uint32_t parts = 0;
  while ((under_way = start_runs(strategy, self, program, runs)) > 0) {
    parts |= 1u << (strategy->part(self)[0] - 'a');
    for (unsigned i = 0; i < under_way; i++) {
      if (runs[i].record.outcome != OUTCOME_SLEEP_BLOCKED) add_state(states, &runs[i].machine);
      absorb(strategy, self, &runs[i]);
    }
  }
  check_end(strategy, self);
  strategy->destroy(self);
  return parts;
}

static uint32_t compare(uint64_t number, bool may_fail) {
  static struct states expected, seen;
  const struct program program = draw_program(number, may_fail);
  expected = seen = (struct states){0};
  enumerate(&program, &(struct machine){0}, &expected);
  const uint32_t parts = explore(&program, number, &seen);
  assert_int_equal(seen.fails, expected.fails);
  for (size_t i = 0; i < expected.count; i++) {
    size_t k = 0;
    while (k < seen.count && memcmp(seen.memory[k], expected.memory[i], sizeof *seen.memory) != 0) k++;
    if (k < seen.count) continue;
    print_error("program %u: a state of memory is missing\n", (unsigned)number);
    fail();
  }
  assert_int_equal(seen.count, expected.count);
  return parts;
}

static uint32_t set_of(const char *letters) {
  uint32_t set = 0;
  for (; *letters; letters++) set |= 1u << (*letters - 'a');
  return set;
}

static void it_sees_everything(void **unused) {
  uint32_t parts = 0;
  for (uint64_t number = 0; number < 600; number++) parts |= compare(number, number % 3 == 0);
  assert_int_equal(parts, set_of("oprb")); /* optimal, pct, random, bounded */
}

/* ---- what each thread can read, of programs without observations ---- */

#define MOST_HISTORIES 256u

struct histories {
  uint64_t values[MAX_THREADS][MOST_HISTORIES][MAX_OPERATIONS];
  size_t counts[MAX_THREADS];
  bool fails;
};

static void add_history(struct histories *histories, unsigned thread, const uint64_t *values) {
  size_t *count = &histories->counts[thread];
  for (size_t i = 0; i < *count; i++)
    if (memcmp(histories->values[thread][i], values, sizeof **histories->values) == 0) return;
  assert_true(*count < MOST_HISTORIES);
  memcpy(histories->values[thread][(*count)++], values, sizeof **histories->values);
}

static void add_histories(struct histories *histories, const struct program *program, const struct machine *machine) {
  uint64_t values[MAX_THREADS][MAX_OPERATIONS] = {0};
  unsigned done[MAX_THREADS] = {0};
  histories->fails |= machine->has_failed;
  if (machine->has_failed) return;
  for (unsigned i = 0; i < machine->n_events; i++) {
    const unsigned thread = machine->events[i].thread - 1u;
    values[thread][done[thread]++] = machine->events[i].value;
  }
  for (unsigned t = 0; t < program->n_threads; t++) add_history(histories, t, values[t]);
}

static void enumerate_histories(const struct program *program, const struct machine *machine,
                                struct histories *histories) {
  if (!movable(program, machine)) add_histories(histories, program, machine);
  for (unsigned t = 0; t < program->n_threads; t++) {
    if (!can_move(program, machine, t)) continue;
    struct machine next = *machine;
    move(program, &next, t);
    enumerate_histories(program, &next, histories);
  }
}

/* Two pairs of threads, each pair mostly with a word of its own. */
static struct program draw_loose_program(uint64_t number) {
  struct program program = draw_program(number, false);
  program.n_threads = 4;
  for (unsigned t = 0; t < program.n_threads; t++) {
    program.lengths[t] = t == 0 ? 3 : 2;
    for (unsigned i = 0; i < program.lengths[t]; i++) {
      program.operations[t][i] = draw_operation(number % 4 == 0);
      program.operations[t][i].word = draw(12) == 0 ? draw(2) : t / 2;
    }
  }
  return program;
}

/* As a run of the program would be recorded: main creates the threads first. */
static void absorb_unobserved(const struct strategy *strategy, void *self, const struct program *program,
                              struct run *run) {
  struct event events[MAX_THREADS + MAX_STEPS];
  unsigned n_events = 0;
  for (unsigned t = 0; t < program->n_threads && run->record_from == 0; t++)
    events[n_events++] = (struct event){.kind = EVENT_THREAD_CREATE, .object = t + 1, .alternatives = 1};
  for (unsigned i = run->record_from; i < run->machine.n_events; i++) events[n_events++] = run->machine.events[i];
  run->record.n_events = n_events;
  const struct trace_view view = {.record = &run->record, .events = events, .pendings = run->pendings, .message = ""};
  strategy->absorb(self, run->cookie, &view, NULL, 1);
}

/* Did contextual lead? */
static bool explore_unobserved(const struct program *program, uint64_t seed, struct histories *histories) {
  const struct strategy *strategy = strategy_find("auto");
  const struct auto_settings own = {.pct = {.depth = 3}, .slice = SLICE, .trial_runs = 3, .watched = 1};
  const struct strategy_settings settings = {
      .seed = seed, .expected_steps = MAX_STEPS, .max_events = MAX_STEPS, .own = &own};
  struct auto_search *self = strategy->create(&settings);
  static struct run runs[WINDOW];
  unsigned under_way;
  bool has_led = false;
  while ((under_way = start_runs(strategy, self, program, runs)) > 0) {
    has_led |= self->trial.leads;
    for (unsigned i = 0; i < under_way; i++) {
      if (runs[i].record.outcome != OUTCOME_SLEEP_BLOCKED) add_histories(histories, program, &runs[i].machine);
      absorb_unobserved(strategy, self, program, &runs[i]);
    }
  }
  check_end(strategy, self);
  strategy->destroy(self);
  return has_led;
}

static bool compare_histories(uint64_t number) {
  static struct histories expected, seen;
  const struct program program = draw_loose_program(number);
  memset(&expected, 0, sizeof expected);
  memset(&seen, 0, sizeof seen);
  enumerate_histories(&program, &(struct machine){0}, &expected);
  const bool has_led = explore_unobserved(&program, number, &seen);
  assert_int_equal(seen.fails, expected.fails);
  for (unsigned t = 0; t < program.n_threads && !expected.fails; t++)
    assert_int_equal(seen.counts[t], expected.counts[t]);
  return has_led;
}

static void it_sees_what_each_thread_can_do(void **unused) {
  unsigned n_led = 0;
  for (uint64_t number = 0; number < 400; number++) n_led += compare_histories(number);
  assert_in_range(n_led, 20, 380);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(it_sees_everything),
                                     cmocka_unit_test(it_sees_what_each_thread_can_do)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
