# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# An exploration that is saved, killed at random moments and resumed comes to the same result, byte for byte except times,
# as one that nobody interrupts: with every strategy, with inputs, with bugs.
. "$ROOT/tests/helpers.bash"
seed=${SEED:-$RANDOM}
echo "SEED=$seed"
RANDOM=$seed
filter() { sed -E 's/"(seconds|deadlock_seconds|order_seconds|data_seconds|runs_per_second|peak_rss_kb)": *[0-9.e+-]+/"\1": 0/g' "$1"; }
cat >threads.c <<'END'
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
static int x[2], failing;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *thread(void *argument) {
  const int me = (int)(long)argument;
  for (int i = 0; i < N; i++) {
    if (i % 2) pthread_mutex_lock(&m);
    x[i % 2] = x[i % 2] * 3 + me;
    if (i % 2) pthread_mutex_unlock(&m);
  }
  assert(!FAILS || x[0] % 7 != 3 || failing++);
  return NULL;
}
int main(void) {
  pthread_t threads[T];
  for (long i = 0; i < T; i++) pthread_create(&threads[i], NULL, thread, (void *)(i + 1));
  for (int i = 0; i < T; i++) pthread_join(threads[i], NULL);
  heddle_observe("x", x[0]);
  heddle_observe("y", x[1]);
  return 0;
}
END
cat >inputs.c <<'END'
#include <heddle.h>
#include <pthread.h>
static int x, y;
static void *thread(void *argument) {
  const int mine = heddle_input_int("a"), other = x;
  if (mine > 10) x = other + 1;
  if (mine == 3 * N) y += mine > other;
  for (int i = 0; i < N; i++) y = y * 2 + (argument != NULL);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, thread, &x);
  pthread_create(&b, NULL, thread, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  heddle_observe("x", x);
  heddle_observe("y", y);
  return 0;
}
END

kills=0
# Kills it some four times, or as long as it takes to end, and resumes it.
same_when_killed() { # STATUS OPTIONS...
  local wanted=$1 option=--save status=0 pid
  shift
  expect_status "$wanted" "$HEDDLE" run --races off --json whole.json "$@"
  rm -f state
  for _ in 1 2 3 4; do
    "$HEDDLE" run --races off --json parts.json "$option" state "$@" >stdout 2>stderr </dev/null &
    pid=$!
    sleep "0.$(printf %03d $((60 + RANDOM % 500)))"
    kill -KILL "$pid" 2>/dev/null && kills=$((kills + 1))
    status=0
    wait "$pid" 2>/dev/null || status=$?
    [ -f state ] && option=--resume
  done
  expect_status "$wanted" "$HEDDLE" run --races off --json parts.json "$option" state "$@"
  diff <(filter whole.json) <(filter parts.json) || fail "another result: $*"
}

build() { "$HEDDLE" cc -g -o "$1" "${@:2}"; }
build small threads.c -DT=3 -DN=2 -DFAILS=0
build large threads.c -DT=3 -DN=3 -DFAILS=0
build failing threads.c -DT=3 -DN=2 -DFAILS=1
build given inputs.c -DN=2

same_when_killed 0 --strategy exhaustive ./small
for strategy in optimal dpor-cr-sleep dpor-2 reachability; do same_when_killed 0 --strategy "$strategy" ./large; done
for strategy in dpor dpor-cr dpor-1 race-flip unfolding contextual; do same_when_killed 0 --strategy "$strategy" ./small; done
same_when_killed 3 --strategy random --max-runs 40000 ./large
same_when_killed 3 --strategy pct --max-runs 40000 ./large
same_when_killed 1 --strategy optimal --keep-going ./failing
same_when_killed 1 --strategy exhaustive ./failing
for strategy in exhaustive optimal dpor-cr-sleep unfolding reachability con2colic; do same_when_killed 0 --strategy "$strategy" ./given; done
same_when_killed 3 --strategy random --max-runs 2000 ./given
[ "$kills" -ge 5 ] || fail "only $kills explorations were killed"

# Ctrl-C, and a time limit, end what --resume continues.
expect_status 0 "$HEDDLE" run --races off --strategy exhaustive --json whole.json ./small
expect_status 3 "$HEDDLE" run --races off --strategy exhaustive --save state --max-time 0.2 ./small
expect_status 0 "$HEDDLE" run --races off --strategy exhaustive --resume state --json parts.json ./small
diff <(filter whole.json) <(filter parts.json) || fail "another result after a time limit"

# What a time limit or Ctrl-C has ended is saved to the last run that is reported: no process is started to come there again.
cat >slow.c <<'END'
#include <fcntl.h>
#include <heddle.h>
#include <pthread.h>
static int x;
__attribute__((constructor)) static void say_started(void) {
  open("started", O_CREAT, 0600);
}
static void *thread(void *argument) {
  volatile int busy = 0;
  for (int i = 0; i < 30000; i++) busy = i;
  for (int i = 0; i < 9; i++) x = x * 3 + (argument != NULL);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, thread, &x);
  pthread_create(&b, NULL, thread, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  heddle_observe("x", x);
  return 0;
}
END
build slow slow.c
for how in time signal; do
  for strategy in exhaustive optimal; do
    rm -f started
    if [ $how = time ]; then
      expect_status 3 "$HEDDLE" run --races off --strategy $strategy --save state --json parts.json --max-time 1.5 ./slow
    else
      expect_status 124 timeout -s INT 1.5 "$HEDDLE" run --races off --strategy $strategy --save state --json parts.json ./slow
    fi
    runs=$(field parts.json 'report["runs"]')
    [ -e started ] && [ "$runs" -gt 1 ] || fail "$runs runs: the test shows nothing"
    rm -f started
    expect_status 3 "$HEDDLE" run --races off --strategy $strategy --resume state --json parts.json --max-runs "$runs" ./slow
    expect_equal runs "$(field parts.json 'report["runs"]')" "$runs"
    [ ! -e started ] || fail "runs before the $how limit were made again"
  done
done

# Another limit on runs is no other exploration; anything else is, and says so.
expect_status 3 "$HEDDLE" run --races off --save state --max-runs 1000 ./large
expect_status 0 "$HEDDLE" run --races off --json whole.json ./large
expect_status 0 "$HEDDLE" run --races off --json parts.json --resume state ./large
diff <(filter whole.json) <(filter parts.json) || fail "another result after --max-runs"
expect_refusal "$HEDDLE" run --races off --resume state --seed 2 ./large
expect_text stderr "'--seed 1' there, '--seed 2' here"
expect_refusal "$HEDDLE" run --races off --resume state ./small
expect_refusal "$HEDDLE" run --races off --resume state --save state ./large
expect_refusal "$HEDDLE" run --races off --resume none ./large
echo something else >other
expect_refusal "$HEDDLE" run --races off --resume other ./large
expect_text stderr "is no exploration that heddle has saved"

# A file that was cut or changed anywhere leads to the same result, or is refused.
cp state kept
for _ in 1 2 3 4 5 6; do
  cp kept state
  size=$(stat -c %s state)
  at=$((RANDOM * 32768 + RANDOM))
  if [ $((RANDOM % 2)) = 0 ]; then
    truncate -s $((at % size)) state
  else
    printf 'x' | dd of=state bs=1 seek=$((at % size)) conv=notrunc status=none
  fi
  status=0
  timeout 100 "$HEDDLE" run --races off --json parts.json --resume state ./large >stdout 2>stderr || status=$?
  [ "$status" = 0 ] || [ "$status" = 2 ] || fail "status $status for a damaged file"
  [ "$status" = 2 ] || diff <(filter whole.json) <(filter parts.json) || fail "another result from a damaged file"
done
