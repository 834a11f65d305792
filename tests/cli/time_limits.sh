# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# --max-time and signals are obeyed whatever heddle is doing. What is timed here is a guard against hanging: without a
# look at the clock these explorations take minutes.
. "$ROOT/tests/helpers.bash"
cat >long.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turns, held;
static void take(void) {
  while (atomic_fetch_add(&held, 1) != 0) {
    atomic_fetch_add(&held, -1);
    turns++;
  }
}
static void *worker(void *unused) {
  take();
  atomic_fetch_add(&held, -1);
  return NULL;
}
int main(void) {
  pthread_t threads[3];
  take();
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
  return 0;
}
EOF
"$HEDDLE" cc -g -o long long.c
for strategy in optimal exhaustive bounded random pct dpor dpor-2 race-flip unfolding contextual reachability con2colic; do
  rm -f out.json
  expect_status 3 timeout 40 "$HEDDLE" run --strategy $strategy --max-time 1 --json out.json ./long
  expect_equal "verdict of $strategy" "$(field out.json 'report["verdict"]')" incomplete
done

# wait_for_text FILE TEXT
wait_for_text() {
  for _ in $(seq 1200); do
    if grep -q -- "$2" "$1"; then return; fi
    sleep 0.05
  done
  fail "no '$2' in $1"
}

# A signal while a run computes (not through timeout, which sends it twice, and the second ends heddle at once): the summary and the JSON are written, and nothing is left running.
cat >computes.c <<'EOF'
#include <stdio.h>
static unsigned long count;
int main(void) {
  FILE *file = fopen("started", "w");
  fputs("yes\n", file);
  fclose(file);
  for (;;) count++;
}
EOF
"$HEDDLE" cc -g -o computes computes.c
for name in INT TERM; do
  rm -f out.json started && touch started
  set -m
  "$HEDDLE" run --files real --isolation fork --hang-time 1000 --json out.json ./computes >stdout 2>stderr </dev/null &
  heddle=$!
  set +m
  wait_for_text started yes
  status=0
  kill -$name $heddle
  wait $heddle || status=$?
  expect_equal "status after SIG$name" $status 3
  expect_text stdout 'not everything was explored (interrupted)'
  expect_equal verdict "$(field out.json 'report["verdict"]')" incomplete
  # A process that was killed takes a moment to be gone; the test's time ends a wait in vain.
  while pgrep -f "^./computes" >/dev/null; do sleep 0.01; done
done

# A signal while the program is compiled: the compiler ends too, and no temporary files are left.
mkdir temporary && mkfifo never.h
printf '#include "never.h"\nint main(void) { return 0; }\n' >waits.c
TMPDIR=$PWD/temporary "$HEDDLE" run waits.c >stdout 2>stderr </dev/null &
heddle=$!
for _ in $(seq 1200); do
  if [ -n "$(pgrep -f "clang.*$PWD/temporary" || true)" ]; then break; fi
  sleep 0.05
done
status=0
kill -TERM $heddle
wait $heddle || status=$?
expect_equal "status of heddle, interrupted while compiling" $status 143
expect_equal "temporary files" "$(ls temporary)" ''
! pgrep -f "clang.*$PWD/temporary" >/dev/null || fail "a compiler is left"

# Strategies that sample use all of the time: their own limit on runs holds only where the user has set none.
for strategy in random pct; do
  expect_status 3 "$HEDDLE" run --strategy "$strategy" --max-time 1 "$(program count_3)"
  expect_text stdout "--max-time is up"
done
