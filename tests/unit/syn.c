/* SPDX-License-Identifier: MIT
 *
 * SYN-sequences of the paper's figures, built by hand: timestamps, race sets, race table, variants and colours.
 */
#include "unit.h"

#include "explore/reachability/syn.h"

#include <stdlib.h>
#include <string.h>

static struct syn syn;
static struct race_table table;
static struct syn_variant variant;

static int tear_down(void **state) {
  syn_free(&syn);
  race_table_free(&table);
  syn_variant_free(&variant);
  return 0;
}

static void expect_timestamp(syn_id event, const uint32_t *clock) {
  assert_memory_equal(syn_timestamp(&syn, event), clock, syn.n_threads * sizeof *clock);
}
#define expect_timestamp(event, ...) expect_timestamp(event, (const uint32_t[]){__VA_ARGS__})

static void expect_race_set(syn_id receive, const syn_id *expected, size_t count) {
  syn_partners set = {0};
  syn_add_race_set(&syn, receive, &set);
  assert_int_equal(set.count, count);
  for (size_t i = 0; i < count; i++) assert_int_equal(set.items[i], expected[i]);
  vector_free(&set);
}
#define expect_races(receive, ...)                                                                                     \
  expect_race_set(receive, (const syn_id[]){__VA_ARGS__}, sizeof((const syn_id[]){__VA_ARGS__}) / sizeof(syn_id))
#define expect_no_races(receive) expect_race_set(receive, NULL, 0)

/* ---- Figs. 2 to 5: one execution of each construct ---- */

static syn_id receive(uint32_t thread, syn_id send, uint32_t port) {
  return syn_receive(&syn, thread, send, &port, 1);
}

static void asynchronous_messages(void **state) {
  enum { T1, T2, T3, P1 = 0, P2 };
  syn_init(&syn, 3, 2);
  const syn_id s1 = syn_send(&syn, T3, P1, 0), s2 = syn_send(&syn, T1, P1, 0);
  const syn_id r1 = receive(T2, s1, P1), r2 = receive(T2, s2, P1);
  const syn_id s3 = syn_send(&syn, T3, P2, 0), r3 = receive(T2, s3, P2);
  const syn_id s4 = syn_send(&syn, T1, P1, 0), r4 = receive(T2, s4, P1);
  expect_timestamp(s1, 0, 0, 1);
  expect_timestamp(r1, 0, 1, 1);
  expect_timestamp(r2, 1, 2, 1);
  expect_timestamp(r3, 1, 3, 2);
  expect_timestamp(r4, 2, 4, 2);
  expect_races(r1, s2);
  expect_no_races(r2);
  expect_no_races(r3);
  expect_no_races(r4);
}

static syn_id receive_synchronously(uint32_t thread, syn_id send, const uint32_t *open, uint32_t n_open) {
  const syn_id id = syn_receive(&syn, thread, send, open, n_open);
  syn_learn_from_thread(&syn, syn.events.items[send].thread, thread);
  return id;
}

static void synchronous_messages(void **state) {
  enum { T1, T2, T3, P1 = 0, P2 };
  const uint32_t both[] = {P1, P2}, first[] = {P1};
  syn_init(&syn, 3, 2);
  const syn_id s1 = syn_send(&syn, T3, P2, 0), s2 = syn_send(&syn, T1, P1, 0);
  const syn_id r1 = receive_synchronously(T2, s1, both, 2), r2 = receive_synchronously(T2, s2, first, 1);
  const syn_id s3 = syn_send(&syn, T3, P2, 0), s4 = syn_send(&syn, T1, P1, 0);
  const syn_id r3 = receive_synchronously(T2, s3, both, 2), r4 = receive_synchronously(T2, s4, first, 1);
  expect_timestamp(s1, 0, 0, 1);
  expect_timestamp(s2, 1, 0, 0);
  expect_timestamp(r1, 0, 1, 1);
  expect_timestamp(r2, 1, 2, 1);
  expect_timestamp(s3, 0, 1, 2); /* rule 3: the clock came back, not the timestamp */
  expect_timestamp(s4, 2, 2, 1);
  expect_races(r1, s2);
  expect_no_races(r2);
  expect_races(r3, s4);
  expect_no_races(r4);
}

static syn_id complete(uint32_t object, syn_id call, uint64_t open) {
  const syn_id id = syn_complete(&syn, object, call, open);
  syn_learn_from_object(&syn, syn.events.items[call].thread, object);
  return id;
}

static void semaphore(void **state) {
  enum { T1, T2, S = 0, P = 0, V = 1 };
  syn_init(&syn, 2, 1);
  const syn_id c1 = syn_send(&syn, T2, S, P), e1 = complete(S, c1, 1 << P);
  const syn_id c3 = syn_send(&syn, T1, S, P);
  const syn_id c2 = syn_send(&syn, T2, S, V), e2 = complete(S, c2, 1 << V);
  const syn_id e3 = complete(S, c3, 1 << P);
  const syn_id c4 = syn_send(&syn, T1, S, V), e4 = complete(S, c4, 1 << V);
  expect_timestamp(c1, 0, 1);
  expect_timestamp(e1, 0, 1);
  expect_timestamp(c3, 1, 0);
  expect_timestamp(e2, 0, 2);
  expect_timestamp(e3, 1, 2);
  expect_timestamp(c4, 2, 2);
  expect_races(e1, c3);
  expect_no_races(e2);
  expect_no_races(e3);
  expect_no_races(e4);
  assert_true(syn_happens_before(&syn, c1, e1));
  assert_false(syn_happens_before(&syn, e1, c1));
  assert_true(syn_happens_before(&syn, e1, c2));
  assert_true(syn_happens_before(&syn, e1, e3));
  assert_false(syn_happens_before(&syn, e1, c3));
  assert_false(syn_happens_before(&syn, c3, e2));
}

static void monitor(void **state) {
  enum { T1, T2, M = 0, M1 = 0, M2 = 1, ALL = 3 };
  syn_init(&syn, 2, 1);
  const syn_id c1 = syn_send(&syn, T1, M, M1), c2 = syn_send(&syn, T2, M, M2);
  const syn_id e1 = complete(M, c1, ALL), e2 = complete(M, c2, ALL);
  syn_learn_from_object(&syn, T1, M); /* signalled */
  const syn_id c3 = syn_send(&syn, T1, M, M1), e3 = complete(M, c3, ALL);
  expect_timestamp(e1, 1, 0);
  expect_timestamp(e2, 1, 1);
  expect_timestamp(c3, 2, 1);
  expect_races(e1, c2);
  expect_no_races(e2);
  expect_no_races(e3);
}

/* ---- Fig. 1, Table 3 ---- */

enum { T1, T2, T3, T4 };
enum { PORT2, PORT3 };

struct figure_1 {
  syn_id s1, s2, s3, s4, r1, r2, r3, r4;
};

/* Thread 2 receives twice and sends, thread 3 receives twice; thread 1 sends to thread 2, thread 4 to both. */
static struct figure_1 run_figure_1(bool r1_takes_s2, bool r3_takes_s4) {
  struct figure_1 q;
  syn_init(&syn, 4, 2);
  q.s1 = syn_send(&syn, T1, PORT2, 0);
  q.s2 = syn_send(&syn, T4, PORT2, 0);
  q.s4 = syn_send(&syn, T4, PORT3, 0);
  q.r1 = receive(T2, r1_takes_s2 ? q.s2 : q.s1, PORT2);
  q.r2 = receive(T2, r1_takes_s2 ? q.s1 : q.s2, PORT2);
  q.s3 = syn_send(&syn, T2, PORT3, 0);
  q.r3 = receive(T3, r3_takes_s4 ? q.s4 : q.s3, PORT3);
  q.r4 = receive(T3, r3_takes_s4 ? q.s3 : q.s4, PORT3);
  return q;
}

static void expect_row(int r1, int r3) {
  assert_true(race_table_next(&table, &syn));
  assert_int_equal(table.row.items[0], r1);
  assert_int_equal(table.row.items[1], r3);
  syn_variant_derive(&variant, &syn, &table);
}

static void expect_in_variant(syn_id receive, syn_id partner, bool is_black) {
  assert_true(variant.in.items[receive]);
  assert_int_equal(variant.partner.items[receive], partner);
  assert_int_equal(variant.is_black.items[receive], is_black);
}

static void race_table_of_figure_1(void **state) {
  const struct figure_1 q = run_figure_1(false, false);
  expect_races(q.r1, q.s2);
  expect_races(q.r3, q.s4);
  race_table_init(&table, &syn, NULL, NULL);
  assert_int_equal(table.columns.count, 2);

  expect_row(0, 1); /* V1 */
  expect_in_variant(q.r1, q.s1, false);
  expect_in_variant(q.r3, q.s4, true);
  assert_true(variant.in.items[q.r2] && variant.in.items[q.s3]);
  assert_false(variant.in.items[q.r4]);

  expect_row(1, 0); /* V2 */
  expect_in_variant(q.r1, q.s2, true);
  expect_in_variant(q.r3, SYN_NONE, false);
  assert_true(variant.in.items[q.s4]);
  assert_false(variant.in.items[q.r2] || variant.in.items[q.s3] || variant.in.items[q.r4]);

  expect_row(1, 1); /* V3 */
  expect_in_variant(q.r1, q.s2, true);
  expect_in_variant(q.r3, q.s4, true);
  assert_false(race_table_next(&table, &syn));
}

static void make_old(const syn_id *events, size_t count) {
  for (size_t i = 0; i < count; i++) syn.events.items[events[i]].is_old = true;
}
#define make_old(...) make_old((const syn_id[]){__VA_ARGS__}, sizeof((const syn_id[]){__VA_ARGS__}) / sizeof(syn_id))

static void expect_no_variants(void) {
  race_table_init(&table, &syn, NULL, NULL);
  assert_false(race_table_next(&table, &syn));
}

/* Q1 to Q3 have no variants that were not exercised. */
static void reachability_of_figure_1_ends(void **state) {
  struct figure_1 q = run_figure_1(false, true);
  make_old(q.s1, q.s2, q.s3, q.s4, q.r1, q.r2, q.r3);
  syn.events.items[q.r3].is_black = true;
  expect_no_variants();

  q = run_figure_1(true, false);
  make_old(q.s1, q.s2, q.s4, q.r1, q.r3);
  syn.events.items[q.r1].is_black = true;
  expect_no_variants();

  q = run_figure_1(true, true);
  make_old(q.s1, q.s2, q.s4, q.r1, q.r3);
  syn.events.items[q.r1].is_black = syn.events.items[q.r3].is_black = true;
  expect_no_variants();
}

/* Without old events and colours there are variants that lead back. */
static void colours_are_needed(void **state) {
  run_figure_1(false, true);
  race_table_init(&table, &syn, NULL, NULL);
  assert_true(race_table_next(&table, &syn));
}

/* ---- what Fig. 7 leaves open ---- */

/* r1 may take s, which its thread sends after r2; changing r2 as well removes s. The heading has r1 to the left. */
static void change_to_the_right_removes_partner(void **state) {
  enum { A, B, C, D, P = 0, Q };
  syn_init(&syn, 4, 2);
  const syn_id a = syn_send(&syn, A, P, 0), r1 = receive(B, a, P);
  const syn_id x = syn_send(&syn, A, Q, 0), y = syn_send(&syn, D, Q, 0);
  const syn_id r2 = receive(C, x, Q);
  const syn_id s = syn_send(&syn, C, P, 0);
  expect_races(r1, s);
  expect_races(r2, y);
  race_table_init(&table, &syn, NULL, NULL);
  expect_row(0, 1);
  expect_row(1, 0);
  assert_false(race_table_next(&table, &syn));
}

/* ---- shared variables and choices ---- */

static void variables(void **state) {
  enum { A, B, X = 0 };
  syn_init(&syn, 2, 1);
  const syn_id first = syn_read(&syn, B, X, SYN_INITIAL);
  const syn_id w1 = complete(X, syn_send(&syn, A, X, 0), 1), w2 = complete(X, syn_send(&syn, A, X, 0), 1);
  const syn_id second = syn_read(&syn, B, X, w1), third = syn_read(&syn, B, X, w2);
  expect_races(first, w2, w1);
  expect_races(second, w2, SYN_INITIAL);
  expect_races(third, w1); /* not the initial one any more */
}

static void choices(void **state) {
  syn_init(&syn, 1, 0);
  const syn_id choice = syn_choose(&syn, 0, 1, 3);
  expect_races(choice, 0, 2);
  syn.events.items[choice].is_old = true;
  expect_no_races(choice);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(asynchronous_messages, tear_down),
      cmocka_unit_test_teardown(synchronous_messages, tear_down),
      cmocka_unit_test_teardown(semaphore, tear_down),
      cmocka_unit_test_teardown(monitor, tear_down),
      cmocka_unit_test_teardown(race_table_of_figure_1, tear_down),
      cmocka_unit_test_teardown(reachability_of_figure_1_ends, tear_down),
      cmocka_unit_test_teardown(colours_are_needed, tear_down),
      cmocka_unit_test_teardown(change_to_the_right_removes_partner, tear_down),
      cmocka_unit_test_teardown(variables, tear_down),
      cmocka_unit_test_teardown(choices, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
