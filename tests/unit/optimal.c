/* SPDX-License-Identifier: MIT
 *
 * The strategy `optimal` against a make-believe executor: pseudo-random programs of a few threads that load, store, add
 * to, and compare-exchange parts of shared words, some of which fail where a word has a certain value. All
 * interleavings are gone through beside it, and their classes counted by what each operation saw and wrote: every class
 * of runs that end by themselves must have exactly one run, and none may be in vain where nothing fails, however many
 * runs are under way. What leads to a failure must be shown in every way there is; what others did meanwhile need not
 * be.
 */
#include "unit.h"

#include "abi/dependence.h"
#include "explore/strategy/strategy.h"

#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 3u
#define MAX_OPERATIONS 4u
#define MAX_STEPS (MAX_THREADS * MAX_OPERATIONS)
#define WORDS 2u
#define WINDOW 64u

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
  struct operation operation = {.kind = draw(may_fail ? 5 : 4), .word = draw(WORDS), .size = sizes[draw(3)]};
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

/* ---- classes ---- */

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  return hash ^ hash >> 29;
}

static bool wrote(const struct event *event) {
  return event->kind != EVENT_READ && event->kind != EVENT_ATOMIC_EXCHANGE_FAILED;
}

static bool conflict(const struct event *a, const struct event *b) {
  if (a->thread == b->thread) return true;
  return (wrote(a) || wrote(b)) && a->object < b->object + b->size && b->object < a->object + a->size;
}

/* The same for runs that differ in the order of operations that do not conflict, and for no others. Of a run that
 * fails, only what leads to the failure counts. */
static uint64_t class_of(const struct machine *machine) {
  uint64_t hashes[MAX_STEPS], sum = 1;
  for (unsigned i = 0; i < machine->n_events; i++) {
    const struct event *event = &machine->events[i];
    uint64_t earlier = 0;
    for (unsigned k = 0; k < i; k++)
      if (conflict(&machine->events[k], event)) earlier += hashes[k];
    hashes[i] = mix(mix(mix(mix(7, event->thread), event->kind), event->value), earlier);
    sum += hashes[i];
  }
  return machine->has_failed ? mix(13, hashes[machine->n_events - 1]) : sum;
}

struct class {
  uint64_t hash;
  unsigned runs;
  bool fails;
};

struct classes {
  struct class items[20000];
  size_t count;
};

static void add_run(struct classes *classes, const struct machine *machine) {
  const uint64_t hash = class_of(machine);
  size_t i = 0;
  while (i < classes->count && classes->items[i].hash != hash) i++;
  assert_true(i < sizeof classes->items / sizeof *classes->items);
  if (i == classes->count) classes->items[classes->count++] = (struct class){hash, 0, machine->has_failed};
  classes->items[i].runs++;
}

static const struct class *find_class(const struct classes *classes, uint64_t hash) {
  for (size_t i = 0; i < classes->count; i++)
    if (classes->items[i].hash == hash) return &classes->items[i];
  return NULL;
}

static void enumerate(const struct program *program, const struct machine *machine, struct classes *classes) {
  if (!movable(program, machine)) {
    add_run(classes, machine);
    return;
  }
  for (unsigned t = 0; t < program->n_threads; t++) {
    if (!can_move(program, machine, t)) continue;
    struct machine next = *machine;
    move(program, &next, t);
    enumerate(program, &next, classes);
  }
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

static void absorb(const struct strategy *strategy, void *self, const struct run *run) {
  const struct trace_view view = {.record = &run->record,
                                  .events = run->machine.events + run->record_from,
                                  .pendings = run->pendings,
                                  .message = ""};
  strategy->absorb(self, run->cookie, &view, NULL, 1);
}

struct result {
  struct classes classes;
  uint64_t blocked;
};

static void explore(const struct program *program, uint64_t seed, unsigned window, bool takes_first,
                    struct result *result) {
  const struct strategy *strategy = strategy_find("optimal");
  const struct strategy_settings settings = {.seed = seed, .takes_first = takes_first};
  void *self = strategy->create(&settings);
  static struct run runs[WINDOW];
  unsigned under_way;
  do {
    struct target target;
    for (under_way = 0; under_way < window; under_way++) {
      target = (struct target){0};
      const bool more = strategy->next(self, &target);
      if (more) perform(program, &target, &runs[under_way]);
      free(target.prefix.items);
      free(target.sleepers.items);
      if (!more) break;
    }
    for (unsigned i = 0; i < under_way; i++) {
      absorb(strategy, self, &runs[i]);
      if (runs[i].record.outcome != OUTCOME_SLEEP_BLOCKED) add_run(&result->classes, &runs[i].machine);
    }
  } while (under_way > 0);
  struct strategy_stats stats;
  strategy->stats(self, &stats);
  assert_null(stats.defect);
  assert_int_equal(stats.left, 0);
  assert_int_equal(stats.divergences, 0);
  result->blocked = stats.blocked_runs;
  strategy->destroy(self);
}

/* A run that was found to be in vain only afterwards is one of a class that has another. */
static void check_class(const struct class *expected, const struct result *result, uint64_t number, unsigned way) {
  const struct class *seen = find_class(&result->classes, expected->hash);
  const uint64_t most = expected->fails ? UINT64_MAX : 1 + result->blocked;
  if (seen && seen->runs <= most) return;
  print_error("program %u, way %u: a class that %s has %u runs\n", (unsigned)number, way,
              expected->fails ? "fails" : "ends well", seen ? seen->runs : 0);
  fail();
}

static void compare(uint64_t number, bool may_fail) {
  static struct classes expected;
  static struct result result;
  const struct program program = draw_program(number, may_fail);
  const struct machine machine = {0};
  expected.count = 0;
  enumerate(&program, &machine, &expected);
  for (unsigned way = 0; way < 4; way++) {
    result.classes.count = 0;
    explore(&program, number + way, way % 2 ? WINDOW : 1, way / 2, &result);
    for (size_t i = 0; i < expected.count; i++) check_class(&expected.items[i], &result, number, way);
    assert_int_equal(result.classes.count, expected.count);

    if (!may_fail) assert_int_equal(result.blocked, 0);
  }
}

static void every_class_has_one_run(void **unused) {
  for (uint64_t number = 0; number < 600; number++) compare(number, false);
}

static void programs_that_fail_show_all_that_leads_to_it(void **unused) {
  for (uint64_t number = 0; number < 600; number++) compare(number, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_class_has_one_run),
      cmocka_unit_test(programs_that_fail_show_all_that_leads_to_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
