/* SPDX-License-Identifier: MIT
 *
 * The strategy `auto` against a make-believe executor (machine.h), with slices so short that all parts have turns. All
 * interleavings are gone through beside it: when it says that it has seen everything, its runs have come to every state
 * of memory that there is, and to a failure where there is one, whoever of the parts was first. The runs observe
 * something, so that contextual, which does not show all that threads come to together, has no trial.
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
  struct strategy_stats stats;
  strategy->stats(self, &stats);
  assert_null(stats.defect);
  assert_int_equal(stats.left, 0);
  assert_int_equal(stats.divergences, 0);
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(it_sees_everything)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
