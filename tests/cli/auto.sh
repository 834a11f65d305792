# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# --strategy auto: small programs as optimal with --symmetry auto explores them, run for run; larger ones in turns, the same for the same seed.
. "$ROOT/tests/helpers.bash"

for name in count_3 assertion atomic_count count_uneven input_path_order; do
  for strategy in optimal auto; do
    symmetry=$([ $strategy = auto ] || echo --symmetry=auto)
    "$HEDDLE" run --keep-going --strategy $strategy ${symmetry:+"$symmetry"} --json $strategy.json "$(program $name)" >/dev/null || true
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
  field $again.json '{k: v for k, v in report.items() if "seconds" not in k and "second" not in k and "rss" not in k and k != "solver"}' >$again.result
done
expect_equal "the same seed" "$(cat 1.result)" "$(cat 2.result)"
expect_equal "all parts had turns" \
  "$(field 1.json 'min(report["auto"]["optimal_runs"], report["auto"]["sampled_runs"], sum(report["auto"]["runs_by_preemptions"])) > 0')" True
expect_equal "the runs of the parts" \
  "$(field 1.json 'report["auto"]["optimal_runs"] + report["auto"]["sampled_runs"] + sum(report["auto"]["runs_by_preemptions"]) + report["auto"]["runs_of_last_bound"] == report["runs"]')" True

# The bounds are those of --max-preemptions, and say as much.
for bound in 0 1; do
  "$HEDDLE" run --races=off --max-preemptions $bound --json bound.json ./large >/dev/null || true
  expect_equal "runs with at most $bound preemptions" "$(field 1.json "report['auto']['runs_by_preemptions'][$bound]")" \
    "$(field bound.json 'report["runs"]')"
done

# A bug that optimal does not come to soon: the report says which part found it.
sed -i 's/assert(total == 24);/assert(turns[3] != 7 || turns[0] != 24);/' large.c
expect_status 1 "$HEDDLE" run --strategy auto --races=off --max-runs 400000 --json found.json large.c
expect_equal "found by a part" "$(field found.json 'report["bugs"][0].get("found_by") in ("optimal", "exhaustive", "pct")')" True
