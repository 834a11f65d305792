# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# How much is left, and what to try next when not everything was explored.
. "$ROOT/tests/helpers.bash"

# The estimate after some runs is of the order of the truth: 48620 runs.
expect_status 3 "$HEDDLE" run --strategy exhaustive --max-runs 5000 "$(program count_9)"
estimate=$(sed -n 's/^try next: about \([0-9]*\) runs would explore everything, 5000 are done.*/\1/p' stdout)
[ -n "$estimate" ] || fail "no estimate"
[ "$estimate" -gt 8000 ] && [ "$estimate" -lt 300000 ] || fail "estimate $estimate instead of 48620"
expect_text stdout "raise the limit"

# optimal estimates it from its tree: additions of two threads, C(18, 9) runs as well.
expect_status 3 "$HEDDLE" run --strategy optimal -DJOBS=9 --max-runs 5000 "$ROOT/examples/counter_fixed.c"
estimate=$(sed -n 's/^try next: about \([0-9]*\) runs would explore everything, 5000 are done.*/\1/p' stdout)
[ -n "$estimate" ] || fail "no estimate of optimal"
[ "$estimate" -gt 5000 ] && [ "$estimate" -lt 500000 ] || fail "optimal estimates $estimate instead of 48620"

# A sampling strategy: is everything within reach? (924 runs.)
expect_status 3 "$HEDDLE" run --strategy random --max-runs 100 "$(program count_6)"
estimate=$(sed -n 's/^try next: --strategy exhaustive: about \([0-9]*\) runs.*/\1/p' stdout)
[ -n "$estimate" ] || fail "no estimate for random"
[ "$estimate" -gt 90 ] && [ "$estimate" -lt 9000 ] || fail "estimate $estimate instead of 924"

# Far too much for exhausting.
cat >large.c <<'EOF'
#include <pthread.h>
static int sum;
static void *work(void *unused) {
  for (int i = 0; i < 100; i++) __sync_fetch_and_add(&sum, 1);
  return unused;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
EOF
expect_status 3 "$HEDDLE" run --strategy exhaustive --max-runs 1000 large.c
expect_text stdout "try next: more than 1e+15 runs would explore everything, 1000 are done; bound the search with --max-preemptions 2"
expect_text stdout "--strategy pct"
expect_status 3 "$HEDDLE" run --max-preemptions 2 --max-runs 1000 large.c
expect_text stdout "--max-preemptions 1"
expect_status 3 "$HEDDLE" run --strategy random --max-runs 1000 large.c
expect_text stdout "another --seed"

# Runs that do not end: how many there are is not known, however many ways the part of them has that was seen.
cat >endless.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *count(void *unused) {
  for (;;) x++;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  return x;
}
EOF
for strategy in random optimal exhaustive auto; do
  expect_status 3 "$HEDDLE" run --strategy $strategy --exit-status any --max-events 50 --max-runs 20 endless.c
  expect_text stdout "try next: no bound known"
done

# The same where only learning runs were cut short.
cat >late.c <<'EOF'
#include <pthread.h>
static volatile int x, flag;
static void *sum(void *unused) {
  long sum = 0;
  while (!flag) sum += x;
  return (void *)sum;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sum, 0);
  for (int i = 0; i < 25; i++) x = i;
  flag = 1;
  return pthread_join(thread, 0);
}
EOF
expect_status 3 "$HEDDLE" run --strategy optimal --order first --races=off --max-events 35 --max-runs 1 late.c
expect_text stdout "try next: no bound known"
expect_no_text stdout "cut short by"

# Other reasons.
expect_status 3 "$HEDDLE" run --max-preemptions 0 "$(program count_3)"
expect_text stdout "one more preemption"
expect_status 3 "$HEDDLE" run --strategy exhaustive --max-events 5 "$(program count_3)"
expect_text stdout "a larger --max-events"
expect_status 0 "$HEDDLE" run --strategy exhaustive "$(program count_3)"
expect_no_text stdout "try next"

# The live line says how much is left, and for how long.
script -qec "timeout -s INT 2 $HEDDLE run --strategy exhaustive large.c" /dev/null >line </dev/null || true
tr '\r' '\n' <line >stdout
grep -Eq '[0-9] runs/s, [0-9.]+% of about [0-9.e+]+, [0-9.e+]+ years left, branches' stdout || fail "no estimate in the live line"
