# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# 0 explored completely, 1 bug, 2 usage or build error, 3 not complete.
. "$ROOT/tests/helpers.bash"
expect_status 0 "$HEDDLE" run "$(program count_3)"
expect_status 1 "$HEDDLE" run "$(example counter)"
expect_status 2 "$HEDDLE" run nosuchfile.c
expect_status 3 "$HEDDLE" run --max-runs 5 "$(program count_6)"
expect_status 3 "$HEDDLE" run --strategy random --max-runs 50 "$(program count_3)"
