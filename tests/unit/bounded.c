/* SPDX-License-Identifier: MIT
 *
 * The strategy `bounded` against a make-believe executor, on pseudo-random programs of threads that read, write and
 * lock. All interleavings are gone through beside it: a class is what each operation saw of the others, and costs as
 * many preemptions as the cheapest of its interleavings. Every class that costs at most the bound must have a run, no
 * run may have more preemptions than that, and where nothing was left out, nothing is. A bound that is raised comes to
 * the same as one that was there from the beginning.
 */
#include "unit.h"

#include "explore/bounded/bounded.h"
#include "explore/strategy/strategy.h"

#include <stdlib.h>
#include <string.h>

#define THREADS 3u
#define MAX_OPERATIONS 6u
#define MAX_STEPS (THREADS * MAX_OPERATIONS)
#define WORDS 2u
#define LOCKS 2u
#define MOST_CLASSES 20000u

enum operation_kind { LOAD, STORE, LOCK, UNLOCK };

struct operation {
  enum operation_kind kind;
  unsigned object;
};

struct program {
  unsigned lengths[THREADS];
  struct operation operations[THREADS][MAX_OPERATIONS];
};

/* Thread t of the program is thread t + 1. */
struct machine {
  unsigned holder[LOCKS]; /* 1 + thread, 0 nobody */
  unsigned done[THREADS], n_events, preemptions;
  struct event events[MAX_STEPS];
};

/* ---- programs ---- */

static uint64_t state;

static unsigned draw(unsigned bound) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33) % bound;
}

static void add(struct program *program, unsigned thread, enum operation_kind kind, unsigned object) {
  program->operations[thread][program->lengths[thread]++] = (struct operation){kind, object};
}

/* Locks are taken in any order, and given back by who has them. */
static void draw_thread(struct program *program, unsigned thread) {
  const unsigned most = 2 + draw(3);
  unsigned held = 0;
  while (program->lengths[thread] + (unsigned)__builtin_popcount(held) < most) {
    const unsigned object = draw(LOCKS);
    const enum operation_kind kind = (enum operation_kind)draw(4);
    if (kind == LOAD || kind == STORE) add(program, thread, kind, object);
    if (kind == LOCK && !(held >> object & 1)) add(program, thread, LOCK, object), held |= 1u << object;
    if (kind == UNLOCK && held >> object & 1) add(program, thread, UNLOCK, object), held &= ~(1u << object);
  }
  for (unsigned i = 0; i < LOCKS; i++)
    if (held >> i & 1) add(program, thread, UNLOCK, i);
}

static struct program draw_program(uint64_t number) {
  struct program program = {0};
  state = number * 2654435761u + 1;
  for (unsigned t = 0; t < THREADS; t++) draw_thread(&program, t);
  return program;
}

/* ---- the machine ---- */

static bool can_move(const struct program *program, const struct machine *machine, unsigned thread) {
  if (machine->done[thread] == program->lengths[thread]) return false;
  const struct operation *operation = &program->operations[thread][machine->done[thread]];
  return operation->kind != LOCK || !machine->holder[operation->object];
}

static uint64_t movable(const struct program *program, const struct machine *machine) {
  uint64_t set = 0;
  for (unsigned t = 0; t < THREADS; t++)
    if (can_move(program, machine, t)) set |= 2ull << t;
  return set;
}

static struct event event_of(const struct operation *operation, unsigned thread) {
  static const uint8_t kinds[] = {EVENT_READ, EVENT_WRITE, EVENT_MUTEX_LOCK, EVENT_MUTEX_UNLOCK};
  const bool is_memory = operation->kind == LOAD || operation->kind == STORE;
  return (struct event){.object = (is_memory ? 4096 : 8192) + operation->object * 64,
                        .size = is_memory ? 4 : 0,
                        .kind = kinds[operation->kind],
                        .thread = (thread_id)(thread + 1),
                        .alternatives = 1,
                        .flags = EVENT_VISIBLE};
}

static void move(const struct program *program, struct machine *machine, unsigned thread) {
  const struct operation *operation = &program->operations[thread][machine->done[thread]];
  const uint64_t enabled = movable(program, machine);
  const thread_id last = machine->n_events ? machine->events[machine->n_events - 1].thread : 0;
  machine->preemptions += last && last != thread + 1 && enabled >> last & 1;
  struct event *event = &machine->events[machine->n_events++];
  *event = event_of(operation, thread);
  event->enabled = enabled;
  if (operation->kind == LOCK) machine->holder[operation->object] = thread + 1;
  if (operation->kind == UNLOCK) machine->holder[operation->object] = 0;
  machine->done[thread]++;
}

/* ---- classes ---- */

struct class {
  uint64_t hash;
  unsigned preemptions; /* the fewest */
  unsigned runs;
};

struct class_list {
  struct class items[MOST_CLASSES];
  size_t count;
};

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  return hash ^ hash >> 29;
}

static bool conflict(const struct event *a, const struct event *b) {
  if (a->thread == b->thread) return true;
  return a->object == b->object && (a->kind != EVENT_READ || b->kind != EVENT_READ);
}

static uint64_t class_of(const struct machine *machine) {
  uint64_t hashes[MAX_STEPS], sum = 1;
  for (unsigned i = 0; i < machine->n_events; i++) {
    const struct event *event = &machine->events[i];
    uint64_t earlier = 0;
    for (unsigned k = 0; k < i; k++)
      if (conflict(&machine->events[k], event)) earlier += hashes[k];
    hashes[i] = mix(mix(mix(mix(7, event->thread), event->kind), event->object), earlier);
    sum += hashes[i];
  }
  return sum;
}

static void add_run(struct class_list *list, const struct machine *machine) {
  const uint64_t hash = class_of(machine);
  size_t i = 0;
  while (i < list->count && list->items[i].hash != hash) i++;
  assert_true(i < MOST_CLASSES);
  if (i == list->count) list->items[list->count++] = (struct class){hash, machine->preemptions, 0};
  if (machine->preemptions < list->items[i].preemptions) list->items[i].preemptions = machine->preemptions;
  list->items[i].runs++;
}

static const struct class *find(const struct class_list *list, uint64_t hash) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].hash == hash) return &list->items[i];
  return NULL;
}

static void enumerate(const struct program *program, const struct machine *machine, struct class_list *list) {
  if (!movable(program, machine)) {
    add_run(list, machine);
    return;
  }
  for (unsigned t = 0; t < THREADS; t++) {
    if (!can_move(program, machine, t)) continue;
    struct machine next = *machine;
    move(program, &next, t);
    enumerate(program, &next, list);
  }
}

/* ---- the executor ---- */

/* The prefix, then the same thread while it can, then the lowest. */
static void perform(const struct program *program, const struct target *target, struct machine *machine) {
  uint64_t choices;
  *machine = (struct machine){0};
  for (size_t i = 0; (choices = movable(program, machine)) != 0; i++) {
    unsigned thread = machine->n_events ? machine->events[machine->n_events - 1].thread : 0;
    if (!(choices >> thread & 1)) thread = (unsigned)__builtin_ctzll(choices);
    if (i < target->prefix.count) thread = target->prefix.items[i].thread;
    assert_true(choices >> thread & 1);
    move(program, machine, thread - 1);
  }
  assert_true(machine->n_events >= target->prefix.count);
}

static void absorb(const struct strategy *strategy, void *self, void *cookie, const struct program *program,
                   const struct machine *machine) {
  struct pending pendings[THREADS];
  struct trace record = {.n_threads = THREADS + 1, .n_steps = machine->n_events, .n_events = machine->n_events};
  for (unsigned t = 0; t < THREADS; t++) {
    if (machine->done[t] == program->lengths[t]) continue;
    const struct event event = event_of(&program->operations[t][machine->done[t]], t);
    pendings[record.n_pending++] =
        (struct pending){.thread = event.thread, .kind = event.kind, .object = event.object, .blocked = 1};
  }
  record.outcome = record.n_pending ? OUTCOME_DEADLOCK : OUTCOME_FINISHED;
  const struct trace_view view = {.record = &record, .events = machine->events, .pendings = pendings, .message = ""};
  strategy->absorb(self, cookie, &view, NULL, 1);
}

static struct { uint64_t runs, classes, estimates, of_all; } totals;

/* Is more said to be done than is? Only where nothing was found to be left yet, or by a rounding error. */
static void check_estimate(const struct strategy *strategy, const void *self, bool is_over) {
  const double done = strategy->part_done(self);
  assert_true(done >= 0 && done <= 1);
  if (is_over) assert_true(done > 0.999999);
  totals.of_all += !is_over;
  totals.estimates += !is_over && done > 0 && done < 1;
}

static void explore(const struct program *program, const struct strategy *strategy, void *self, uint64_t bound,
                    struct class_list *list) {
  static struct machine machines[256];
  static void *cookies[256];
  unsigned under_way;
  do {
    for (under_way = 0; under_way < strategy->window; under_way++) {
      struct target target = {0};
      const bool more = strategy->next(self, &target);
      if (more) perform(program, &target, &machines[under_way]);
      cookies[under_way] = target.cookie;
      free(target.prefix.items);
      if (!more) break;
    }
    for (unsigned i = 0; i < under_way; i++) {
      assert_true(machines[i].preemptions <= bound);
      add_run(list, &machines[i]);
      absorb(strategy, self, cookies[i], program, &machines[i]);
    }
    check_estimate(strategy, self, under_way == 0);
  } while (under_way > 0);
}

/* ---- comparing ---- */

static void check(const struct class_list *expected, const struct class_list *seen, uint64_t number, uint64_t bound) {
  size_t wanted = 0;
  for (size_t i = 0; i < expected->count; i++) {
    if (expected->items[i].preemptions > bound) continue;
    wanted++;
    if (find(seen, expected->items[i].hash)) continue;
    print_error("program %u: a class with %u preemptions has no run\n", (unsigned)number,
                expected->items[i].preemptions);
    fail();
  }
  assert_int_equal(seen->count, wanted);
}

static uint64_t runs_of(const struct class_list *list) {
  uint64_t runs = 0;
  for (size_t i = 0; i < list->count; i++) runs += list->items[i].runs;
  return runs;
}

static struct strategy_stats stats_of(const struct strategy *strategy, const void *self) {
  struct strategy_stats stats;
  strategy->stats(self, &stats);
  assert_int_equal(stats.left, 0);
  assert_int_equal(stats.divergences, 0);
  return stats;
}

static void compare(uint64_t number, bool raises) {
  static struct class_list expected, seen;
  const struct strategy *strategy = strategy_find("bounded");
  const struct program program = draw_program(number);
  const struct machine machine = {0};
  void *self = NULL;
  expected.count = 0;
  enumerate(&program, &machine, &expected);
  for (uint64_t bound = 0; bound <= 4; bound++) {
    const struct bound_settings own = {bound};
    const struct strategy_settings settings = {.seed = number, .own = &own};
    if (self && raises)
      bounded_raise(self, bound);
    else
      self = strategy->create(&settings), seen.count = 0;
    explore(&program, strategy, self, bound, &seen);
    check(&expected, &seen, number, bound);
    totals.runs += runs_of(&seen);
    totals.classes += seen.count;
    const bool is_bounded = stats_of(strategy, self).bounded;
    if (!is_bounded) assert_int_equal(seen.count, expected.count);
    if (!raises || bound == 4) strategy->destroy(self);
  }
}

static void every_class_within_the_bound_has_a_run(void **unused) {
  totals.runs = totals.classes = totals.estimates = totals.of_all = 0;
  for (uint64_t number = 0; number < 500; number++) compare(number, false);
  assert_true(totals.runs < 2 * totals.classes);
  assert_true(2 * totals.estimates > totals.of_all);
}

static void raising_the_bound_keeps_what_was_explored(void **unused) {
  for (uint64_t number = 500; number < 700; number++) compare(number, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_class_within_the_bound_has_a_run),
      cmocka_unit_test(raising_the_bound_keeps_what_was_explored),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
