#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# --max-time may be over while a strategy takes in a run. What it had not looked at by then is not lost: an exploration that is
# resumed as often as it takes comes to as many runs as one that has time.
. "$ROOT/tests/helpers.bash"

"$HEDDLE" cc -g -o threads "$ROOT/tests/save/threads.c" -DT=3 -DN=3 -DFAILS=0

for strategy in optimal dpor-2; do
  arguments=(run --races off --strategy "$strategy" ./threads)
  expect_status 0 "$HEDDLE" "${arguments[@]}" --json whole.json
  option=--save parts=0 status=3
  while [ $status = 3 ]; do
    parts=$((parts + 1)) status=0
    "$HEDDLE" "${arguments[@]}" --save-every 0 --max-time "$((parts / 10)).$((parts % 10))" --json parts.json $option saved \
      >stdout 2>stderr </dev/null || status=$?
    [ ! -d saved ] || option=--resume
  done
  expect_equal "the status of $strategy after $parts parts" $status 0
  for member in verdict runs blocked_runs; do
    expect_equal "$member of $strategy" "$(field parts.json "report['$member']")" "$(field whole.json "report['$member']")"
  done
  rm -rf saved
done
