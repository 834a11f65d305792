# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# --max-runs and --max-time stop an exploration that would take years.
. "$ROOT/tests/helpers.bash"
cat >long.c <<'C'
#include <pthread.h>
int x;
static void *worker(void *unused) {
  for (int i = 0; i < 100; i++) x++;
  return NULL;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  return 0;
}
C
for strategy in exhaustive random pct; do
  expect_status 3 "$HEDDLE" run --strategy $strategy --max-runs 777 --json out.json long.c
  expect_equal "runs of $strategy" "$(field out.json 'report["runs"]')" 777
  expect_text stdout '(--max-runs was reached)'
  expect_status 3 "$HEDDLE" run --strategy $strategy --max-time 2 --max-runs 1000000000 --json out.json long.c
  expect_equal verdict "$(field out.json 'report["verdict"]')" incomplete
  expect_text stdout '(--max-time is up)'
done

# --max-memory stops an exploration that keeps too much, with what it has found.
cat >memory.c <<'C'
#include <pthread.h>
int x;
static void *worker(void *unused) {
  for (int i = 0; i < 10000; i++) x++;
  return NULL;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
C
expect_status 3 "$HEDDLE" run --strategy exhaustive --max-memory 8 --json out.json memory.c
expect_equal verdict "$(field out.json 'report["verdict"]')" incomplete
expect_text stdout '(what heddle keeps about the schedules fills --max-memory)'
