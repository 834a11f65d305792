/* SPDX-License-Identifier: MIT
 *
 * A make-believe executor for tests of strategies: pseudo-random programs of a few threads that load, store, add to,
 * and compare-exchange parts of shared words, some of which fail where a word has a certain value.
 */
#ifndef HEDDLE_TESTS_MACHINE_H
#define HEDDLE_TESTS_MACHINE_H

#include "unit.h"

#include "explore/strategy/strategy.h"
#include "model/dependence.h"

#include <string.h>

#define MAX_THREADS 4u
#define MAX_OPERATIONS 4u
#define MAX_STEPS (MAX_THREADS * MAX_OPERATIONS)
#define WORDS 4u

enum operation_kind { LOAD, STORE, ADD, EXCHANGE, CHECK };

struct operation {
  enum operation_kind kind;
  unsigned word, offset, size;
  uint64_t value, expected;
};

struct program {
  unsigned n_threads, lengths[MAX_THREADS];
  struct operation operations[MAX_THREADS][MAX_OPERATIONS];
};

struct machine {
  uint8_t memory[WORDS * 8];
  unsigned done[MAX_THREADS];
  struct event events[MAX_STEPS];
  unsigned n_events;
  bool has_failed;
};

/* ---- programs ---- */

static uint64_t state;

static unsigned draw(unsigned bound) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33) % bound;
}

static struct operation draw_operation(bool may_fail) {
  static const unsigned sizes[] = {1, 2, 4};
  struct operation operation = {.kind = draw(may_fail ? 5 : 4), .word = draw(2), .size = sizes[draw(3)]};
  operation.offset = draw(2) * operation.size;
  operation.value = 1 + draw(2);
  operation.expected = draw(3);
  return operation;
}

static struct program draw_program(uint64_t number, bool may_fail) {
  state = number * 2654435761u + 1;
  struct program program = {.n_threads = 2 + draw(2)};
  for (unsigned t = 0; t < program.n_threads; t++) {
    program.lengths[t] = 1 + draw(program.n_threads == 2 ? MAX_OPERATIONS : 3);
    for (unsigned i = 0; i < program.lengths[t]; i++) program.operations[t][i] = draw_operation(may_fail);
  }
  return program;
}

/* Four threads that only load and store whole words: much commutes, and runs that begin alike go on in many ways. */
static inline struct program draw_wide_program(uint64_t number) {
  state = number * 2654435761u + 1;
  struct program program = {.n_threads = MAX_THREADS};
  for (unsigned t = 0; t < program.n_threads; t++) {
    program.lengths[t] = 1 + draw(MAX_OPERATIONS);
    for (unsigned i = 0; i < program.lengths[t]; i++)
      program.operations[t][i] =
          (struct operation){.kind = draw(2) ? STORE : LOAD, .word = draw(WORDS), .size = 4, .value = 1};
  }
  return program;
}

/* ---- the machine: thread t of the program is thread t + 1 ---- */

static bool can_move(const struct program *program, const struct machine *machine, unsigned thread) {
  return !machine->has_failed && machine->done[thread] < program->lengths[thread];
}

static uint64_t movable(const struct program *program, const struct machine *machine) {
  uint64_t set = 0;
  for (unsigned t = 0; t < program->n_threads; t++)
    if (can_move(program, machine, t)) set |= 2ull << t;
  return set;
}

static uint64_t load(const struct machine *machine, const struct operation *operation) {
  uint64_t value = 0;
  memcpy(&value, machine->memory + operation->word * 8 + operation->offset, operation->size);
  return value;
}

static void store(struct machine *machine, const struct operation *operation, uint64_t value) {
  memcpy(machine->memory + operation->word * 8 + operation->offset, &value, operation->size);
}

static void move(const struct program *program, struct machine *machine, unsigned thread) {
  const struct operation *operation = &program->operations[thread][machine->done[thread]];
  struct event *event = &machine->events[machine->n_events++];
  const uint64_t old = load(machine, operation);
  *event = (struct event){.object = 4096 + operation->word * 8 + operation->offset,
                          .size = operation->size,
                          .before = old,
                          .enabled = movable(program, machine),
                          .thread = (thread_id)(thread + 1),
                          .alternatives = 1,
                          .flags = EVENT_VISIBLE | EVENT_VALUE_KNOWN};
  switch (operation->kind) {
  case LOAD:
  case CHECK: event->kind = EVENT_READ; break;
  case STORE: event->kind = EVENT_WRITE, store(machine, operation, operation->value); break;
  case ADD: event->kind = EVENT_ATOMIC_UPDATE, store(machine, operation, old + operation->value); break;
  case EXCHANGE:
    event->before = operation->expected;
    event->kind = old == operation->expected ? EVENT_ATOMIC_EXCHANGE_DONE : EVENT_ATOMIC_EXCHANGE_FAILED;
    if (old == operation->expected) store(machine, operation, operation->value);
  }
  event->value = load(machine, operation);
  machine->done[thread]++;
  machine->has_failed = operation->kind == CHECK && old == operation->expected;
}

/* ---- the executor ---- */

struct run {
  struct trace record;
  struct machine machine;
  struct pending pendings[MAX_THREADS];
  void *cookie;
  uint32_t record_from;
};

static uint64_t wake(struct event *sleepers, size_t count, uint64_t asleep, const struct event *event) {
  for (size_t i = 0; i < count; i++)
    if (events_depend(&sleepers[i], event)) asleep &= ~(1ull << sleepers[i].thread);
  return asleep;
}

static unsigned pick(uint64_t set) {
  unsigned nth = draw((unsigned)__builtin_popcountll(set));
  while (nth-- > 0) set &= set - 1;
  return (unsigned)__builtin_ctzll(set) - 1;
}

static void list_pendings(const struct program *program, struct run *run) {
  for (unsigned t = 0; t < program->n_threads; t++) {
    if (run->machine.done[t] == program->lengths[t]) continue;
    struct machine next = run->machine;
    next.has_failed = false;
    move(program, &next, t);
    const struct event *event = &next.events[next.n_events - 1];
    const bool exchanges = program->operations[t][run->machine.done[t]].kind == EXCHANGE;
    run->pendings[run->record.n_pending++] =
        (struct pending){.thread = event->thread,
                         .kind = exchanges ? EVENT_ATOMIC_EXCHANGE_DONE : event->kind,
                         .object = event->object,
                         .size = event->size,
                         .before = event->before,
                         .value = load(&run->machine, &program->operations[t][run->machine.done[t]]),
                         .flags = EVENT_VALUE_KNOWN};
  }
}

/* As the runtime does: the prefix, then what is awake, drawn from the seed. */
static void perform(const struct program *program, const struct target *target, struct run *run) {
  struct machine *machine = &run->machine;
  uint64_t asleep = 0, choices;
  *run = (struct run){.cookie = target->cookie, .record_from = target->plan.record_from};
  state = target->plan.seed * 977 + 3;
  for (size_t i = 0; (choices = movable(program, machine)) != 0; i++) {
    const bool is_planned = i < target->prefix.count;
    if (is_planned && !(choices >> target->prefix.items[i].thread & 1)) {
      assert_true(target->plan.flags & PLAN_TRY_LAST && i + 1 == target->prefix.count);
      continue;
    }
    if (i + 1 == target->prefix.count)
      for (size_t k = 0; k < target->sleepers.count; k++) asleep |= 1ull << target->sleepers.items[k].thread;
    if (!is_planned && !(choices & ~asleep)) break;
    move(program, machine, is_planned ? target->prefix.items[i].thread - 1u : pick(choices & ~asleep));
    asleep = wake(target->sleepers.items, target->sleepers.count, asleep, &machine->events[machine->n_events - 1]);
  }
  const thread_id last = machine->n_events ? machine->events[machine->n_events - 1].thread : 0;
  run->record = (struct trace){.n_threads = MAX_THREADS + 1,
                               .n_steps = machine->n_events,
                               .n_events = machine->n_events - target->plan.record_from,
                               .thread = last,
                               .outcome = machine->has_failed ? OUTCOME_ASSERTION
                                          : choices           ? OUTCOME_SLEEP_BLOCKED
                                                              : OUTCOME_FINISHED};
  if (machine->has_failed || choices) list_pendings(program, run);
}

#endif
