# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The live line is for terminals only: no carriage returns or escapes in a pipe.
. "$ROOT/tests/helpers.bash"
expect_status 3 "$HEDDLE" run --strategy random --max-time 2 --max-runs 1000000000 "$(program count_3)"
! grep -q $'[\r\033]' stdout stderr || fail "control characters in a pipe"
