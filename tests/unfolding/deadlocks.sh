#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Deadlocks of pseudo-random programs: unfolding and contextual find those that exhaustive finds. Dining philosophers:
# found whatever the seed. A program of which some seeds show the deadlock only when it is searched for.
set -eu
. "$ROOT/tests/helpers.bash"
"$ROOT/tests/unfolding/deadlocks" 60 1

finds() { # finds PROGRAM OPTIONS...: does heddle find a deadlock?
  local status=0
  "$HEDDLE" run -o out "${@:2}" "$1" >text 2>&1 || status=$?
  [ "$status" = 0 ] || { [ "$status" = 1 ] && grep -q "^bug 1: deadlock" text; } || fail "status $status of $*: $(cat text)"
  [ "$status" = 1 ]
}

for philosophers in 3 4 5; do
  "$HEDDLE" cc -DPHILOSOPHERS=$philosophers -DMEALS=1 -o dining "$ROOT/bench/programs/dining.c"
  for strategy in unfolding contextual; do
    for seed in 1 2 3 4 5 6; do
      finds ./dining --strategy $strategy --seed $seed || fail "$strategy finds no deadlock of $philosophers philosophers with seed $seed"
    done
  done
done

"$HEDDLE" cc -o rare "$ROOT/tests/programs/unfolding_deadlock.c"
missed=0
for seed in 1 2 3 4 5 6 7 8; do
  finds ./rare --strategy unfolding --seed $seed || fail "seed $seed: the deadlock is not found"
  finds ./rare --strategy unfolding --seed $seed --no-deadlock-search || missed=$((missed + 1))
done
[ $missed -gt 0 ] || fail "all seeds show the deadlock without any search: this tests nothing"
