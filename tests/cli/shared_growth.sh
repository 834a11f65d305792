# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# What is learned late makes the exploration start again; runs counts the one that completed.
. "$ROOT/tests/helpers.bash"
expect_status 0 "$HEDDLE" run --strategy exhaustive --json out.json "$(program count_6)"
expect_equal runs "$(field out.json 'report["runs"]')" 924
[ "$(field out.json 'report["learning_runs"]')" -ge 1 ] || fail "no learning runs"
