# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# heddle bench: the list, a table with exact counts and with a limit, wrong use.
. "$ROOT/tests/helpers.bash"
expect_status 0 "$HEDDLE" bench
expect_text stdout "dpor"
expect_status 0 "$HEDDLE" bench dpor --only "Single lock 1" --seeds 2 --max-time 60 -o table.md
grep -q "^| Single lock 1 | .* | 2520 | 2520, .* (2520) | 2520, .* (2520) |" table.md || fail "exact counts: $(cat table.md)"
expect_status 0 "$HEDDLE" bench dpor --only "Fib 2" --max-runs 100
grep -q "^| Fib 2 | .* | 218243 | >100, .* (>903216) |" dpor.md || fail "a limit: $(cat dpor.md)"
expect_status 0 "$HEDDLE" bench unfolding --only "Single lock 1" --seeds 1 -o measures.md
grep -q "^| program | flags | traces | .* | optimal: runs | optimal: seconds |$" measures.md || fail "columns with a measure: $(cat measures.md)"
grep -q "^| Single lock 1 | .* | 2520 | .* | 2520 | [0-9.]* |$" measures.md || fail "cells with a measure: $(cat measures.md)"
expect_status 2 "$HEDDLE" bench nothing
expect_status 2 "$HEDDLE" bench dpor --seeds none
expect_status 2 "$HEDDLE" bench --seeds 3
