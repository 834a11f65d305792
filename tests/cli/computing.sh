# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A run that computes for too long is cut short: the result is incomplete, and says which thread was where.
. "$ROOT/tests/helpers.bash"
cat >computing.c <<'EOF'
#include <pthread.h>
static unsigned long sum;
__attribute__((noinline)) static void inner(unsigned long step) {
  while (step) sum += step;
}
__attribute__((noinline)) static void outer(unsigned long step) {
  inner(step);
  sum++;
}
static void *worker(void *argument) {
  outer(1 + (unsigned long)argument);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
EOF
"$HEDDLE" cc -g -o computing computing.c
for isolation in reset fork; do
  expect_status 3 "$HEDDLE" run --hang-time 1 --isolation $isolation --json out.json ./computing
  expect_text stdout 'incomplete: no bug found, but not everything was explored (a run computed for --hang-time'
  expect_text stdout 'try next: a longer --hang-time'
  expect_text stdout 'because thread t1 computed for --hang-time without a visible operation'
  expect_text stdout 'at computing.c:4 in inner'
  expect_text stdout 'called at computing.c:7 in outer'
  expect_text stdout 'called at computing.c:11 in worker'
  expect_equal verdict "$(field out.json 'report["verdict"]')" incomplete
  expect_equal thread "$(field out.json 'report["computing"]["thread"]')" t1
  expect_equal calls "$(field out.json '[p["function"] for p in report["computing"]["stack"]]')" "['inner', 'outer', 'worker']"
done

# A run that ends in time has nothing to say.
expect_status 1 "$HEDDLE" run --json out.json "$(program livelock)"
expect_equal computing "$(field out.json 'report["computing"]')" None
