# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Control-C and SIGTERM end the exploration, which says so and what it has done. When heddle itself is killed, the program
# dies with it. No process and no temporary file is left.
. "$ROOT/tests/helpers.bash"
mkdir temporary
export TMPDIR=$PWD/temporary
# It says when its process begins: from then on runs are made, and they do not come to an end by themselves.
cat >endless.c <<'C'
#include <fcntl.h>
#include <pthread.h>
static int x;
__attribute__((constructor)) static void say_ready(void) {
  open("ready", O_CREAT, 0600);
}
static void *worker(void *unused) {
  for (int i = 0; i < 20; i++) x++;
  return NULL;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
C
"$HEDDLE" cc -g -o interrupted-program endless.c

start() { # STRATEGY: heddle is $heddle, and its program has begun
  rm -rf ready out.json heddle-out
  "$HEDDLE" run --files real --strategy "$1" --max-runs 1000000000 --json out.json ./interrupted-program >stdout 2>stderr </dev/null &
  heddle=$!
  while [ ! -e ready ]; do
    kill -0 $heddle || fail "heddle ended by itself"
    sleep 0.01
  done
  [ -n "$(executors)" ] || fail "no executor to be seen: the test shows nothing"
}

executors() { find /proc/[0-9]*/exe -maxdepth 0 -lname "$PWD/interrupted-program" 2>/dev/null || true; }

expect_nothing_left() {
  # A process that was killed takes a moment to be gone; the test's time ends a wait in vain.
  if [ $status = 137 ]; then while [ -n "$(executors)" ]; do sleep 0.01; done; fi
  expect_equal executors "$(executors)" ""
  expect_equal "temporary files" "$(ls -A temporary)" ""
  expect_equal "output directory" "$(ls -d heddle-out 2>/dev/null)" ""
}

# Background jobs of a shell without job control ignore SIGINT.
set -m
for signal in INT TERM; do
  for strategy in random exhaustive; do
    start $strategy
    kill -$signal $heddle
    status=0
    wait $heddle || status=$?
    expect_equal "status after SIG$signal" $status 3
    expect_equal "standard error" "$(cat stderr)" ""
    expect_equal verdict "$(field out.json 'report["verdict"], report["complete"], report["bugs"], report["divergences"], report["truncated_runs"]')" \
      "('incomplete', False, [], 0, 0)"
    expect_text stdout "(interrupted)"
    expect_text stdout "$(field out.json '"{runs} runs with strategy {strategy}, seed 1, after {learning_runs} learning run".format(**report)')"
    expect_nothing_left
  done
done

start random
kill -KILL $heddle
status=0
wait $heddle || status=$?
expect_equal "status after SIGKILL" $status 137
[ ! -s out.json ] || fail "a report of a heddle that was killed"
expect_nothing_left
