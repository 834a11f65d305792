# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# An exploration that is saved, ended early and resumed comes to the same result, byte for byte except times, as one that
# nobody interrupts.
. "$ROOT/tests/helpers.bash"
seed=${SEED:-$RANDOM}
echo "SEED=$seed"
RANDOM=$seed
filter() { sed -E 's/"(seconds|deadlock_seconds|order_seconds|data_seconds|runs_per_second|peak_rss_kb)": *[0-9.e+-]+/"\1": 0/g' "$1"; }

# Killed at random moments, with every strategy, with inputs, with bugs. tests/save/kills 50 kills each of them 50 times.
SEED=$seed timeout 400 "$ROOT/tests/save/kills" 3 >kills.txt 2>&1 || { cat kills.txt && fail "another result"; }
kills=$(awk -F': killed ' '{ sum += $2 } END { print sum + 0 }' kills.txt)
[ "$kills" -ge 5 ] || fail "only $kills explorations were killed"

build() { "$HEDDLE" cc -g -o "$1" "${@:2}"; }
threads=$ROOT/tests/save/threads.c
build small "$threads" -DT=3 -DN=2 -DFAILS=0
build large "$threads" -DT=3 -DN=3 -DFAILS=0

# Ctrl-C, and a time limit, end what --resume continues.
expect_status 0 "$HEDDLE" run --races off --strategy exhaustive --json whole.json ./small
rm -rf state
expect_status 3 "$HEDDLE" run --races off --strategy exhaustive --save state --save-every 0 --max-time 0.03 ./small
expect_status 0 "$HEDDLE" run --races off --strategy exhaustive --resume state --json parts.json ./small
diff <(filter whole.json) <(filter parts.json) || fail "another result after a time limit"

# What a time limit or Ctrl-C has ended is saved to the last run that is reported: no process is started to come there
# again, although the state that was saved has plans beyond that run.
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
    rm -rf started state parts.json
    if [ $how = time ]; then
      expect_status 3 "$HEDDLE" run --files real --races off --strategy $strategy --save state --save-every 1 --json parts.json --max-time 1.5 ./slow
    else
      expect_status 124 timeout -s INT 1.5 "$HEDDLE" run --files real --races off --strategy $strategy --save state --save-every 1 --json parts.json ./slow
    fi
    runs=$(field parts.json 'report["runs"]')
    [ -e started ] && [ "$runs" -gt 1 ] || fail "$runs runs: the test shows nothing"
    rm -f started
    expect_status 3 "$HEDDLE" run --files real --races off --strategy $strategy --resume state --json parts.json --max-runs "$runs" ./slow
    expect_equal runs "$(field parts.json 'report["runs"]')" "$runs"
    [ ! -e started ] || fail "runs before the $how limit were made again"
  done
done

# Another limit on runs is no other exploration; anything else is, and says so.
rm -rf state
expect_status 3 "$HEDDLE" run --races off --save state --max-runs 1000 ./large
expect_status 0 "$HEDDLE" run --races off --json whole.json ./large
expect_status 0 "$HEDDLE" run --races off --json parts.json --resume state ./large
diff <(filter whole.json) <(filter parts.json) || fail "another result after --max-runs"

# The state of another exploration is neither continued nor replaced.
cp -r state kept
refuses() { # OPTIONS...
  expect_refusal "$HEDDLE" run --races off "$@"
  cmp state/state kept/state || fail "the state was written over: $*"
}
for option in --save --resume; do
  refuses $option state --seed 2 ./large
  expect_text stderr "'--seed 1' there, '--seed 2' here"
  refuses $option state ./small
done
refuses --resume state --save state ./large
refuses --resume none ./large
mkdir other
echo something else >other/state
for option in --save --resume; do
  refuses $option other ./large
  expect_text stderr "is no exploration that heddle has saved"
done
expect_text other/state "something else"
printf '\377' | dd of=state/state bs=1 seek=24 conv=notrunc status=none # the version
cp state/state kept/state
for option in --save --resume; do
  refuses $option state ./large
  expect_text stderr "another version of heddle"
done

# A file that was cut leads to the same result, or is refused; one that was changed is refused, and stays as it is.
for strategy in exhaustive optimal dpor-2 reachability random; do
  rm -rf state kept
  expect_status 3 "$HEDDLE" run --races off --strategy $strategy --max-runs 3000 --save state --save-every 0 ./large
  expect_status 3 "$HEDDLE" run --races off --strategy $strategy --max-runs 4000 --json whole.json ./large
  cp -r state kept
  size=$(stat -c %s state/state)
  for how in cut changed; do
    at=$(((RANDOM * 32768 + RANDOM) % size))
    cp kept/state state/state
    if [ $how = cut ]; then
      truncate -s $at state/state
    else
      byte=$(od -An -tu1 -j $at -N 1 state/state)
      printf "\\$(printf %o $((byte ^ 1)))" | dd of=state/state bs=1 seek=$at conv=notrunc status=none
    fi
    cp state/state damaged
    status=0
    timeout 100 "$HEDDLE" run --races off --strategy $strategy --max-runs 4000 --json parts.json --resume state ./large >stdout 2>stderr || status=$?
    case $how:$status in
    *:2) cmp state/state damaged || fail "a damaged state was written over" ;;
    cut:3) diff <(filter whole.json) <(filter parts.json) || fail "another result from a state that was cut" ;;
    *) fail "$strategy: status $status for a state that was $how at $at" ;;
    esac
  done
done
