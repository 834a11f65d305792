# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# What con2colic says: coverage by k, what is left at a bound, programs in which nothing interferes, bad options.
. "$ROOT/tests/helpers.bash"
run() { # STATUS PROGRAM OPTION...
  local status=$1 program=$2
  shift 2
  expect_status "$status" "$HEDDLE" run --strategy con2colic --races off --json report.json "$@" "$program"
}

add_all=$ROOT/bench/programs/add_all.c
run 1 "$add_all"
expect_text stdout "branches by interferences: 3 at k = 0, 1 at k = 1; 4 of 4"
expect_text stdout "first bug at k = 1"
expect_text stdout "full coverage"
expect_equal "k of the bug" "$(field report.json "report['con2colic']['bug_k']")" 1
expect_equal "coverage" "$(field report.json "report['con2colic']['branches_by_k'], report['con2colic']['uncovered']")" "([3, 1], [])"
expect_status 1 "$HEDDLE" replay heddle-out/add_all/bug-1

# Bounds: what was reached, what is completed, what is left.
run 3 "$add_all" --max-k 0
expect_text stdout "(--max-k left scenarios out)"
expect_text stdout "branches by interferences: 3 at k = 0; 3 of 4"
expect_text stdout "complete up to k = 0"
expect_text stdout "scenarios are left"
expect_text stdout "not covered: "
expect_equal "k of the bug" "$(field report.json "report['con2colic']['bug_k'], report['con2colic']['lowest_k_left']")" "(None, 1)"
run 3 "$add_all" --max-scenarios 3
expect_text stdout "(--max-scenarios was reached)"
expect_text stdout "k = 0 is not complete"
run 3 "$add_all" --max-runs 2
expect_text stdout "(--max-runs was reached)"

# The same whoever finds orders, and without each optimisation.
for options in "--order-solver z3" "--order-solver both" "--without unsat-core" "--without duplicates" "--without priority" \
  "--without unsat-core,duplicates,priority"; do
  # shellcheck disable=SC2086
  run 1 "$add_all" $options
  expect_equal "$options" "$(field report.json "report['con2colic']['branches_by_k'], report['con2colic']['bug_k']")" "([3, 1], 1)"
done

# Nothing interferes: concolic testing.
cat >single.c <<'C'
#include "heddle.h"
#include <assert.h>
int main(void) {
  const int x = heddle_input_int("x");
  assert(x != 12345);
  return 0;
}
C
run 1 single.c
expect_text stdout "with int x = 12345"
expect_text stdout "only main ran"
cat >apart.c <<'C'
#include "heddle.h"
#include <pthread.h>
static int seen[2];
static void *work(void *place) {
  if (heddle_input_int("x") > 7) *(int *)place = 1;
  return NULL;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &seen[i]);
  return 0;
}
C
run 0 apart.c
expect_text stdout "no variable is shared"
cat >straight.c <<'C'
#include <pthread.h>
static int x;
static void *work(void *unused) {
  x++;
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  return 0;
}
C
run 0 straight.c
expect_text stdout "no branch depends on an input or on what another thread wrote"

# A branch that cannot be taken, with what stands against it.
cat >never.c <<'C'
#include "heddle.h"
#include <pthread.h>
static int x, never;
static void *work(void *unused) {
  x = 3;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  const int seen = x;
  if (seen == 4) never = 1;
  return 0;
}
C
run 0 never.c
expect_text stdout "maximum coverage proven: no scenario is left"
expect_text stdout "never.c:12 in main, when its condition is true: not together: "

expect_refusal "$HEDDLE" run --strategy con2colic --without everything "$add_all"
expect_refusal "$HEDDLE" run --strategy con2colic --order-solver none "$add_all"
expect_refusal "$HEDDLE" run --strategy con2colic --max-k -1 "$add_all"
