# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A summary on standard output names verdict, runs and strategy.
. "$ROOT/tests/helpers.bash"
expect_status 0 "$HEDDLE" run --strategy exhaustive "$(program count_6)"
cat stdout stderr >all
expect_text all 924
expect_status 1 "$HEDDLE" run -o out "$(example bank)"
cat stdout stderr >all
expect_text all deadlock
expect_text all bank.c
expect_text all out/
