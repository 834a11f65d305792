# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# --strategy auto: small programs as optimal explores them, run for run; larger ones in turns, the same for the same seed.
. "$ROOT/tests/helpers.bash"

for name in count_3 assertion atomic_count count_uneven input_path_order; do
  for strategy in optimal auto; do
    "$HEDDLE" run --keep-going --strategy $strategy --json $strategy.json "$(program $name)" >/dev/null || true
    field $strategy.json '(report["verdict"], report["runs"], report["paths"], sorted(b["message"] for b in report["bugs"]))' \
      >$strategy.result
  done
  expect_equal "$name" "$(cat auto.result)" "$(cat optimal.result)"
done

# Too large for a proof: every part has its turns. The bug needs more preemptions than a bound of 1 has.
cat >large.c <<'END'
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turns[4], total;

static void *body(void *number) {
  for (int i = 0; i < 6; i++) {
    pthread_mutex_lock(&lock);
    total++;
    pthread_mutex_unlock(&lock);
  }
  turns[(long)number] = total;
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, body, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  assert(total == 24);
  return 0;
}
END
"$HEDDLE" cc -o large large.c
for again in 1 2; do
  expect_status 3 "$HEDDLE" run --strategy auto --races=off --max-runs 50000 --json $again.json ./large
  expect_text stdout "known: no bug with at most"
  expect_text stdout " % explored ("
  field $again.json '{k: v for k, v in report.items() if "seconds" not in k and "second" not in k and "rss" not in k and k != "solver"}' >$again.result
done
expect_equal "the same seed" "$(cat 1.result)" "$(cat 2.result)"
expect_equal "all parts had turns" \
  "$(field 1.json 'min(report["auto"]["optimal_runs"], report["auto"]["pct_runs"], report["auto"]["random_runs"], report["auto"]["contextual_runs"], sum(report["auto"]["runs_by_preemptions"])) > 0')" True
expect_equal "an estimate of the last bound" "$(field 1.json '0 < report["auto"]["last_bound_done"] < 1')" True
expect_equal "the runs of the parts" \
  "$(field 1.json 'sum(report["auto"][part + "_runs"] for part in ("optimal", "contextual", "sampled")) + sum(report["auto"]["runs_by_preemptions"]) + report["auto"]["runs_of_last_bound"] == report["runs"]')" True

# The bounds are those of --max-preemptions. One adds to what was explored with the one before: here every class with at most
# one preemption has one run, as with `exhaustive`, and none is made again.
for bound in 0 1; do
  "$HEDDLE" run --races=off --strategy exhaustive --max-preemptions $bound --json bound.json ./large >/dev/null || true
  expect_equal "runs with at most $bound preemptions" "$(field 1.json "sum(report['auto']['runs_by_preemptions'][:$bound + 1])")" \
    "$(field bound.json 'report["runs"]')"
done

# A bug that optimal does not come to soon: the report says which part found it.
sed -i 's/assert(total == 24);/assert(turns[3] != 7 || turns[0] != 24);/' large.c
expect_status 1 "$HEDDLE" run --strategy auto --races=off --max-runs 400000 --json found.json large.c
expect_equal "found by a part" "$(field found.json 'report["bugs"][0].get("found_by") in ("optimal", "contextual", "pct", "random", "bounded")')" True

# Independent threads: contextual proves in a few runs what optimal needs thousands for. What threads observe together is not left to it.
cat >pairs.c <<'END'
#include <heddle.h>
#include <pthread.h>

static int shared[12];

static void *store(void *number) {
  shared[(long)number] = 1;
  return NULL;
}

static void *load(void *number) {
  const int value = shared[(long)number];
#ifdef OBSERVE
  if ((long)number < 2) heddle_observe((long)number ? "second" : "first", value);
#endif
  return (void *)(long)value;
}

int main(void) {
  pthread_t threads[24];
  for (long i = 0; i < 12; i++) {
    pthread_create(&threads[2 * i], NULL, store, (void *)i);
    pthread_create(&threads[2 * i + 1], NULL, load, (void *)i);
  }
  for (int i = 0; i < 24; i++) pthread_join(threads[i], NULL);
  return 0;
}
END
expect_status 0 "$HEDDLE" run --races=off --json pairs.json pairs.c
expect_equal "the default, and who proved it" "$(field pairs.json '(report["strategy"], report["auto"]["proved_by"], report["runs"] < 1000)')" \
  "('auto', 'contextual', True)"
expect_status 0 "$HEDDLE" run --races=off -DOBSERVE --json pairs.json pairs.c
expect_equal "all that is observed" \
  "$(field pairs.json '(report["auto"]["proved_by"], report["auto"]["contextual_runs"], sorted(o["outcome"] for o in report["observations"]))')" \
  "('optimal', 0, ['first=0 second=0', 'first=0 second=1', 'first=1 second=0', 'first=1 second=1'])"

# Classes that an unfolding shows with a fourth of the runs: contextual is shown some of optimal's, learns nothing, and leads. The same when
# it turns out only then what is shared.
for learning in "" never; do
  HEDDLE_LEARNING=$learning expect_status 0 "$HEDDLE" run --races=off --json last.json -DN=12 "$ROOT/bench/programs/last_zero.c"
  expect_equal "who leads" "$(field last.json '(report["verdict"], report["auto"]["proved_by"], report["auto"]["contextual_runs"] > 1000, report["runs"] < 15360)')" \
    "('clean', 'contextual', True, True)"
done

# Threads that are the same keep to an order that contextual does not know of: its runs would have told them apart.
expect_status 0 "$HEDDLE" run --symmetry auto --json twins.json "$(program symmetry_lock)"
expect_equal "threads that are the same" "$(field twins.json '(report["auto"]["proved_by"], report["auto"]["contextual_runs"], report["auto"]["optimal_runs"])')" \
  "('optimal', 0, 945)"

# Runs that are cut short: no bound is called explored, and what ends has gaps.
cat >endless.c <<'END'
#include <pthread.h>

static int x, y;

static void *count(void *unused) {
  for (int i = 0; i < 50; i++) x += y;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, NULL);
  for (y = 0; y < 1000; y++) x++;
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
END
expect_status 3 "$HEDDLE" run --races=off --max-events 60 --max-runs 20000 --json cut.json endless.c
expect_equal "bounds in which nothing was cut" "$(field cut.json '(len(report["auto"]["runs_by_preemptions"]) > 0, report["auto"]["whole_bounds"])')" "(True, 0)"
expect_equal "no estimate of what has no end" "$(field cut.json 'report["auto"]["last_bound_done"]')" 0.0

# Inputs that optimal cannot follow: what samples may try others.
cat >concrete.c <<'END'
#include <assert.h>
#include <heddle.h>

int main(void) {
  const int x = heddle_input_int("x");
  assert((int)((double)x / 3) != 7);
  return 0;
}
END
"$HEDDLE" run --json concrete.json concrete.c >/dev/null || true
expect_equal "pct and random have a turn" "$(field concrete.json 'report["auto"]["pct_runs"] + report["auto"]["random_runs"] > 0')" True
