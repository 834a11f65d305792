# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Two threads that each do something nobody minds and then write y: when the first run has both writes at its end, two
# runs are enough for dpor-cr; when one thread goes first, the writes are reversed by way of a third run. With sleep sets
# two are always enough.
. "$ROOT/tests/helpers.bash"

cat >program.c <<'END'
#include <pthread.h>
#include <semaphore.h>
static sem_t own[2];
static int y;
static void *work(void *semaphore) {
  sem_post(semaphore);
  y = semaphore == own;
  return 0;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) sem_init(&own[i], 0, 0);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, &own[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
END
"$HEDDLE" cc -g -o program program.c

# runs STRATEGY: "runs blocked" for seeds 1 to 12, each pair once
runs() {
  for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    expect_status 0 "$HEDDLE" run --strategy "$1" --seed "$seed" --races off --json report.json program
    echo "$(field report.json "report['runs']") $(field report.json "report['blocked_runs']")"
  done | sort -u | tr '\n' ','
}

[ "$(runs dpor-cr)" = "2 0,3 0," ] || fail "dpor-cr: $(runs dpor-cr)"
[ "$(runs dpor-2)" = "2 0," ] || fail "dpor-2: $(runs dpor-2)"
[ "$(runs race-flip)" = "2 0," ] || fail "race-flip: $(runs race-flip)"
