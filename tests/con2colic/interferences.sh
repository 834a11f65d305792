# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A program that needs exactly J interferences for its bug: none is found with fewer allowed, it is found with J, and heddle says so.
source "$ROOT/tests/helpers.bash"
for shape in 0 1 2; do
  for j in 1 2 3 4 5 6; do
    "$HEDDLE" cc -g -DJ=$j -DSHAPE=$shape -o program "$ROOT/bench/programs/interferences.c"
    expect_status 3 "$HEDDLE" run --strategy con2colic --races off --max-k $((j - 1)) program
    expect_status 1 "$HEDDLE" run --strategy con2colic --races off --max-k $j --json result.json program
    expect_text result.json "\"bug_k\": $j,"
    expect_status 1 "$HEDDLE" run --strategy con2colic --races off --keep-going --json result.json program
    expect_text result.json "\"bug_k\": $j,"
    expect_text result.json '"complete": true'
  done
done
