/* SPDX-License-Identifier: MIT
 *
 * Happens-before and races on hand-made runs: every thread can always move unless a test says so.
 */
#include "unit.h"

#include "base/random.h"
#include "trace/order.h"

#include <stdlib.h>

enum { X = 0x1000, Y = 0x2000, M = 0x3000, S = 0x4000, L = 0x5000, C = 0x6000, B = 0x7000 };
#define ALL 0xffull

static struct order *order;

static int set_up(void **state) {
  order = order_create();
  return 0;
}

static int tear_down(void **state) {
  order_destroy(order);
  return 0;
}

static void push_event(struct event event, uint64_t enabled) {
  event.alternatives = 1;
  event.flags |= EVENT_VISIBLE;
  order_push(order, &event, &enabled, 1);
}

static void push(thread_id thread, uint8_t kind, uint64_t object) {
  push_event((struct event){.thread = thread, .kind = kind, .object = object, .size = kind < EVENT_MUTEX_LOCK ? 4 : 0},
             ALL);
}

static void push_value(thread_id thread, uint8_t kind, uint64_t object, uint64_t value, uint32_t size, uint8_t flags) {
  push_event(
      (struct event){.thread = thread, .kind = kind, .object = object, .value = value, .size = size, .flags = flags},
      ALL);
}

/* The races of the last step are with exactly these, latest first. */
static void assert_races(size_t expected, uint32_t first, uint32_t second) {
  size_t count;
  const struct race *races = order_races(order, &count);
  assert_int_equal(count, expected);
  if (expected > 0) assert_int_equal(races[0].earlier, first);
  if (expected > 1) assert_int_equal(races[1].earlier, second);
}

static size_t reverse(size_t which, struct reversal_steps *reversal) {
  size_t count;
  const struct race race = order_races(order, &count)[which];
  const uint32_t later = order_length(order) - 1;
  return order_reverse(order, &race, later, order_event(order, later), reversal) ? reversal->count : SIZE_MAX;
}

static void accesses_race_by_bytes(void **state) {
  push(0, EVENT_WRITE, X);
  push(1, EVENT_READ, X);
  assert_races(1, 0, 0);
  push(2, EVENT_READ, X);
  assert_races(1, 0, 0);
  push(2, EVENT_WRITE, X + 4); /* other bytes of the same granule */
  assert_races(0, 0, 0);
  push(0, EVENT_WRITE, X);
  assert_races(2, 2, 1);
  assert_true(order_happens_before(order, 1, 4));
  assert_false(order_happens_before(order, 1, 2));
  assert_false(order_happens_before(order, 3, 4));
}

static void what_a_third_orders_does_not_race(void **state) {
  push(0, EVENT_WRITE, X);
  push(0, EVENT_WRITE, Y);
  push(1, EVENT_READ, Y);
  push(1, EVENT_READ, X);
  assert_races(0, 0, 0);
  push(2, EVENT_WRITE, X);
  assert_races(1, 3, 0);
}

static void ranges_and_granules_are_found(void **state) {
  push(0, EVENT_WRITE, X + 8);
  push(1, EVENT_WRITE, X + 4);
  push_value(2, EVENT_READ, X, 0, 16, 0);
  assert_races(2, 1, 0);
  push_value(0, EVENT_FREE, X, 0, 4096, 0);
  assert_races(1, 2, 0);
  push(1, EVENT_READ, X + 512);
  assert_races(1, 3, 0);
}

static void locks_race_with_locks(void **state) {
  push(0, EVENT_MUTEX_LOCK, M);
  push(0, EVENT_MUTEX_UNLOCK, M);
  push(1, EVENT_MUTEX_LOCK, M);
  assert_races(1, 0, 0);
  push(1, EVENT_MUTEX_UNLOCK, M);
  push(2, EVENT_MUTEX_LOCK, M);
  assert_races(2, 2, 0); /* it could have come before each of the others, not only before the last */
  assert_true(order_happens_before(order, 1, 4));
}

static void nested_locks_only_order(void **state) {
  push(0, EVENT_MUTEX_LOCK, M);
  push_value(0, EVENT_MUTEX_LOCK, M, 0, 0, EVENT_NESTED);
  push_value(0, EVENT_MUTEX_UNLOCK, M, 0, 0, EVENT_NESTED);
  push(0, EVENT_MUTEX_UNLOCK, M);
  push(1, EVENT_MUTEX_LOCK, M);
  assert_races(1, 0, 0);
}

static void a_failed_attempt_races_with_the_release(void **state) {
  push(0, EVENT_MUTEX_LOCK, M);
  push(1, EVENT_MUTEX_TRYLOCK_FAILED, M);
  assert_races(1, 0, 0);
  push(0, EVENT_MUTEX_UNLOCK, M);
  assert_races(1, 1, 0);
  push(2, EVENT_MUTEX_LOCK, M);
  assert_races(1, 0, 0);
}

static void waiting_pending_locks_race(void **state) {
  push(0, EVENT_MUTEX_LOCK, M);
  const struct pending pending = {.thread = 1, .kind = EVENT_MUTEX_LOCK, .object = M, .blocked = 1};
  struct event event;
  assert_true(order_find_pending_races(order, &pending, &event));
  assert_races(1, 0, 0);
  const struct pending join = {.thread = 1, .kind = EVENT_THREAD_JOIN, .object = 0, .blocked = 1};
  assert_false(order_find_pending_races(order, &join, &event));
}

static void semaphores_count_tokens(void **state) {
  push_value(0, EVENT_SEMAPHORE_POST, S, 1, 0, 0);
  push_value(1, EVENT_SEMAPHORE_WAIT, S, 0, 0, 0);
  assert_races(0, 0, 0); /* it could not have come first */
  assert_true(order_happens_before(order, 0, 1));
  order_pop(order, 0);
  push_value(0, EVENT_SEMAPHORE_POST, S, 1, 0, 0);
  push_value(2, EVENT_SEMAPHORE_POST, S, 2, 0, 0);
  assert_races(0, 0, 0);
  push_value(1, EVENT_SEMAPHORE_WAIT, S, 1, 0, 0);
  assert_races(2, 1, 0); /* either post alone is enough */
  order_pop(order, 0);
  push_value(0, EVENT_SEMAPHORE_POST, S, 2, 0, 0);
  push_value(1, EVENT_SEMAPHORE_WAIT, S, 1, 0, EVENT_NEEDS_NO_POST);
  assert_races(0, 0, 0);
  assert_false(order_happens_before(order, 0, 1));
}

static void readers_keep_a_writer_out(void **state) {
  push(0, EVENT_RWLOCK_READ, L);
  push(1, EVENT_RWLOCK_READ, L);
  assert_races(0, 0, 0);
  push(0, EVENT_WRITE, X);
  push(1, EVENT_READ, X);
  push(0, EVENT_RWLOCK_READ_UNLOCK, L);
  push(1, EVENT_RWLOCK_READ_UNLOCK, L);
  push(2, EVENT_RWLOCK_WRITE, L);
  assert_races(2, 1, 0);
  struct reversal_steps reversal;
  /* Before the second reader: the first one reads already, and has begun earlier. */
  assert_int_equal(reverse(1, &reversal), 0); /* before the first: the second reader must not begin */
  assert_int_equal(reversal.first.thread, 2);
}

static void reversals_leave_out_what_follows(void **state) {
  push(0, EVENT_WRITE, X);
  push(0, EVENT_WRITE, Y);
  push(1, EVENT_WRITE, Y + 4);
  push(2, EVENT_READ, X);
  assert_races(1, 0, 0);
  struct reversal_steps reversal;
  assert_int_equal(reverse(0, &reversal), 1);
  assert_int_equal(reversal.steps[0], 2);
  assert_int_equal(reversal.last.thread, 2);
  const struct event own = {.thread = 2, .kind = EVENT_READ, .object = X, .size = 4};
  const struct event writes = {.thread = 3, .kind = EVENT_WRITE, .object = X, .size = 4};
  const struct event reads = {.thread = 3, .kind = EVENT_READ, .object = X, .size = 4};
  assert_true(order_is_weak_initial(order, &own, &reversal));
  assert_true(order_is_weak_initial(order, &reads, &reversal));
  assert_false(order_is_weak_initial(order, &writes, &reversal));
}

static void signals_wake_one(void **state) {
  push_value(1, EVENT_CONDITION_WAIT, C, M, 0, 0);
  push_value(2, EVENT_CONDITION_WAIT, C, M, 0, 0);
  struct event signal = {.thread = 0, .kind = EVENT_CONDITION_SIGNAL, .object = C, .alternative = 1, .value = 2};
  push_event(signal, ALL);
  assert_races(1, 1, 0);
  push_value(2, EVENT_CONDITION_WAKE, C, M, 0, 0);
  assert_races(0, 0, 0);
  assert_true(order_happens_before(order, 2, 3));
}

static void rounds_of_a_barrier_are_ordered(void **state) {
  push_value(0, EVENT_BARRIER_ARRIVE, B, 1, 2, 0);
  push_value(1, EVENT_BARRIER_ARRIVE, B, 2, 2, 0);
  assert_races(0, 0, 0);
  push_value(2, EVENT_BARRIER_ARRIVE, B, 1, 2, 0);
  assert_races(2, 1, 0);
  struct reversal_steps reversal;
  assert_int_equal(reverse(1, &reversal), 1);
  assert_int_equal(reversal.first.value, 1);
  assert_int_equal(reversal.last.value, 2);
  const struct event first = {.thread = 0, .kind = EVENT_BARRIER_ARRIVE, .object = B, .value = 1, .size = 2};
  assert_false(order_is_weak_initial(order, &first, &reversal)); /* no room for three */
}

static void threads_are_ordered_by_create_and_join(void **state) {
  push(0, EVENT_WRITE, X);
  struct event create = {.thread = 0, .kind = EVENT_THREAD_CREATE, .object = 7};
  order_push(order, &create, NULL, 0);
  push_event((struct event){.thread = 7, .kind = EVENT_WRITE, .object = X, .size = 4}, ALL);
  assert_races(0, 0, 0);
  struct event joined = {.thread = 0, .kind = EVENT_THREAD_JOIN, .object = 7};
  order_push(order, &joined, NULL, 0);
  push(0, EVENT_READ, X);
  assert_races(0, 0, 0);
  order_pop(order, 2);
  push(0, EVENT_READ, X);
  assert_races(0, 0, 0); /* the join belongs to the second step */
  order_pop(order, 1);
  push(0, EVENT_READ, X);
  push_event((struct event){.thread = 7, .kind = EVENT_WRITE, .object = X, .size = 4}, ALL);
  assert_races(1, 1, 0);
}

/* Popping and pushing again gives what pushing alone gives. */
static void popping_undoes_pushing(void **state) {
  static const uint8_t kinds[] = {EVENT_READ, EVENT_WRITE, EVENT_MUTEX_LOCK, EVENT_MUTEX_UNLOCK, EVENT_SECTION_ENTER};
  struct order *fresh = order_create();
  uint64_t random = 1, enabled = ALL;
  for (int i = 0; i < 3000; i++) {
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    const uint32_t length = order_length(order);
    if (random >> 60 == 0 && length > 0) {
      order_pop(order, (uint32_t)(random >> 33) % length);
      order_destroy(fresh);
      fresh = order_create();
      for (uint32_t k = 0; k < order_length(order); k++) order_push(fresh, order_event(order, k), &enabled, 1);
    }
    const uint8_t kind = kinds[(random >> 40) % 5];
    const struct event event = {.thread = (thread_id)((random >> 45) % 9),
                                .kind = kind,
                                .object = X + (random >> 50) % 8 * 4,
                                .size = kind < EVENT_MUTEX_LOCK ? 8 : 0,
                                .alternatives = 1,
                                .flags = EVENT_VISIBLE};
    order_push(order, &event, &enabled, 1);
    order_push(fresh, &event, &enabled, 1);
    size_t count, expected;
    const struct race *races = order_races(order, &count), *others = order_races(fresh, &expected);
    assert_int_equal(count, expected);
    for (size_t k = 0; k < count; k++) assert_int_equal(races[k].earlier, others[k].earlier);
  }
  order_destroy(fresh);
}

/* A child has what its parent knew when it was created, not what the parent learns by joining another before its next
 * step. */
static void a_child_does_not_learn_from_later_joins(void **state) {
  const struct event create = {.thread = 0, .kind = EVENT_THREAD_CREATE, .object = 3};
  const struct event joins[] = {{.thread = 0, .kind = EVENT_THREAD_JOIN, .object = 1},
                                {.thread = 0, .kind = EVENT_THREAD_JOIN, .object = 2}};
  push(1, EVENT_WRITE, X);
  push(2, EVENT_WRITE, Y);
  push(0, EVENT_READ, M);
  for (int again = 0; again < 2; again++) {
    order_push(order, &joins[0], NULL, 0);
    order_push(order, &create, NULL, 0);
    order_push(order, &joins[1], NULL, 0);
    push(3, EVENT_WRITE, X);
    assert_races(0, 0, 0);
    push(3, EVENT_WRITE, Y);
    assert_races(1, 1, 0);
    push(0, EVENT_WRITE, L);
    assert_true(order_happens_before(order, 0, 5) && order_happens_before(order, 1, 5));
    order_pop(order, 2);
    push(0, EVENT_READ, M);
  }
}

#define MANY_THREADS 70

static void push_held(thread_id thread, const uint64_t *could_move) {
  const struct event event = {.thread = thread,
                              .kind = EVENT_READ,
                              .object = X + 8u * thread,
                              .size = 4,
                              .alternatives = 1,
                              .flags = EVENT_VISIBLE | EVENT_WIDE};
  order_push(order, &event, could_move, 2);
}

/* 1 + the last step at which the thread could not move, since it took a step itself; 0 none. */
static uint32_t find_held(uint64_t (*could_move)[2], uint32_t length, thread_id thread) {
  for (uint32_t step = length; step > order_last_step_of(order, thread); step--)
    if (!(could_move[step - 1][thread / 64u] >> thread % 64u & 1)) return step;
  return 0;
}

/* A thread that could not move comes after the last step at which it could not, also when steps were taken back. */
static void what_held_a_thread_up_comes_first(void **state) {
  static const thread_id threads[] = {0, 1, 2, 63, 64, MANY_THREADS - 1};
  uint64_t could_move[64][2], seed = 5;
  uint32_t length = 0;
  for (unsigned i = 0; i < 20000; i++) {
    if (length == 64) order_pop(order, length = (uint32_t)(random_next(&seed) % 64));
    const thread_id thread = threads[random_next(&seed) % 6];
    could_move[length][0] = random_next(&seed) | random_next(&seed);
    could_move[length][1] = random_next(&seed) | random_next(&seed);
    could_move[length][thread / 64u] |= 1ull << thread % 64u;
    const uint32_t held = find_held(could_move, length, thread), last = order_last_step_of(order, thread);
    push_held(thread, could_move[length]);
    if (held) assert_true(order_happens_before(order, held - 1, length));
    for (uint32_t step = held > last ? held : last; step < length; step++)
      assert_false(order_happens_before(order, step, length));
    length++;
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* --- against the definitions, on random accesses --- */

#define MOST_STEPS 14

static struct event pushed[MOST_STEPS];
static bool before[MOST_STEPS][MOST_STEPS]; /* happens-before */

/* Accesses of one to eight bytes of sixteen, by four threads. */
static struct event random_access(uint64_t *seed) {
  static const uint8_t kinds[] = {EVENT_READ,         EVENT_WRITE,         EVENT_ATOMIC_READ,
                                  EVENT_ATOMIC_WRITE, EVENT_ATOMIC_UPDATE, EVENT_ATOMIC_EXCHANGE_FAILED};
  const uint32_t size = 1u << random_next(seed) % 4;
  return (struct event){.thread = (thread_id)(random_next(seed) % 4),
                        .kind = kinds[random_next(seed) % (sizeof kinds / sizeof *kinds)],
                        .object = X + size * (random_next(seed) % (16 / size)),
                        .size = size};
}

static bool is_write(const struct event *event) {
  return event->kind == EVENT_WRITE || event->kind == EVENT_ATOMIC_WRITE || event->kind == EVENT_ATOMIC_UPDATE;
}

static bool conflict(const struct event *a, const struct event *b) {
  return (is_write(a) || is_write(b)) && a->object < b->object + b->size && b->object < a->object + a->size;
}

/* The row of the last step: it comes after what it conflicts with, what its thread did, and what comes before these. */
static void order_last(uint32_t last) {
  for (uint32_t i = 0; i < last; i++)
    before[i][last] = pushed[i].thread == pushed[last].thread || conflict(&pushed[i], &pushed[last]);
  for (uint32_t k = last; k-- > 0;)
    for (uint32_t i = 0; i < k; i++) before[i][last] |= before[i][k] && before[k][last];
}

static bool is_between(uint32_t i, uint32_t last) {
  for (uint32_t k = i + 1; k < last; k++)
    if (before[i][k] && before[k][last]) return true;
  return false;
}

static bool is_race(uint32_t i, uint32_t last) {
  return pushed[i].thread != pushed[last].thread && conflict(&pushed[i], &pushed[last]) && !is_between(i, last);
}

/* All that does not come after the earlier step; the later one, which does, is apart. */
static void expect_reversal(const struct race *race, uint32_t last) {
  struct reversal_steps reversal;
  const struct race copy = *race;
  assert_true(order_reverse(order, &copy, last, order_event(order, last), &reversal));
  size_t count = 0;
  for (uint32_t i = copy.earlier + 1; i < last; i++)
    if (!before[copy.earlier][i]) assert_int_equal(reversal.steps[count++], i);
  assert_int_equal(reversal.count, count);
  assert_int_equal(reversal.last.thread, pushed[last].thread);
  assert_int_equal(reversal.last.object, pushed[last].object);
}

static size_t expect_races(uint32_t last) {
  size_t count, expected = 0;
  const struct race *races = order_races(order, &count);
  for (uint32_t i = last; i-- > 0;) {
    if (!is_race(i, last)) continue;
    assert_true(expected < count);
    assert_int_equal(races[expected].earlier, i);
    assert_false(races[expected].is_unsure);
    expected++;
  }
  assert_int_equal(count, expected);
  return count;
}

static void expect_last(uint32_t last) {
  for (uint32_t i = 0; i < last; i++) assert_int_equal(order_happens_before(order, i, last), before[i][last]);
  const size_t count = expect_races(last);
  for (size_t i = 0; i < count; i++) expect_reversal(&order_races(order, &(size_t){0})[i], last);
}

/* Also after steps were taken back and others put in their place. */
static void races_are_as_defined(void **state) {
  uint64_t seed = 11;
  uint32_t length = 0;
  for (unsigned i = 0; i < 20000; i++) {
    if (length == MOST_STEPS) order_pop(order, length = (uint32_t)(random_next(&seed) % MOST_STEPS));
    pushed[length] = random_access(&seed);
    push_event(pushed[length], ALL);
    order_last(length);
    expect_last(length++);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(accesses_race_by_bytes),
      TEST(what_a_third_orders_does_not_race),
      TEST(ranges_and_granules_are_found),
      TEST(locks_race_with_locks),
      TEST(nested_locks_only_order),
      TEST(a_failed_attempt_races_with_the_release),
      TEST(waiting_pending_locks_race),
      TEST(semaphores_count_tokens),
      TEST(readers_keep_a_writer_out),
      TEST(reversals_leave_out_what_follows),
      TEST(signals_wake_one),
      TEST(rounds_of_a_barrier_are_ordered),
      TEST(threads_are_ordered_by_create_and_join),
      TEST(popping_undoes_pushing),
      TEST(a_child_does_not_learn_from_later_joins),
      TEST(what_held_a_thread_up_comes_first),
      TEST(races_are_as_defined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
