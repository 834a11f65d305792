# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Bugs planted in runs of some 10 000 operations: the schedule that is shown has at most five context switches more than the
# bug needs, replays, and is the same every time.
. "$ROOT/tests/helpers.bash"

# check FILE NEEDED: what `random` finds in it, with how many switches
check() {
  expect_status 1 "$HEDDLE" run --strategy random -o out --json first.json "$1"
  sed -n 's/.* \([0-9]*\) context switch.*/\1/p' stdout >switches
  sed -n 's/.*(\([0-9]*\) before minimisation.*/\1/p' stdout >before
  [ -s before ] || fail "$1: nothing was minimised"
  [ "$(cat before)" -gt 100 ] || fail "$1: the run that was found has only $(cat before) switches: the test shows nothing"
  [ "$(cat switches)" -le $(($2 + 5)) ] || fail "$1: $(cat switches) switches, but $2 are enough"
  [ "$(cat switches)" -ge "$2" ] || fail "$1: $(cat switches) switches cannot show the bug"
  expect_text out/bug-1/schedule "switches $(cat switches) of $(cat before)"
  expect_status 1 "$HEDDLE" replay out/bug-1
  cp out/bug-1/schedule schedule
  expect_status 1 "$HEDDLE" run --strategy random -o out "$1"
  cmp -s schedule out/bug-1/schedule || fail "$1: another schedule the second time"
}

check "$ROOT/bench/planted_update.c" 2
check "$ROOT/bench/planted_balance.c" 2
check "$ROOT/bench/planted_locks.c" 1

# As it was found, on request.
expect_status 1 "$HEDDLE" run --strategy random --minimise 0 -o out "$ROOT/bench/planted_balance.c"
expect_no_text stdout "before minimisation"
