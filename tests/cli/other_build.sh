# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A bug directory whose executable was replaced by another build is refused.
. "$ROOT/tests/helpers.bash"
expect_status 1 "$HEDDLE" run -o out "$(example counter)"
bug=$(first_bug out)
executable=$(find "$bug" -type f -size +20k | head -n 1)
[ -n "$executable" ] || fail "no executable in $(ls "$bug")"
"$HEDDLE" cc -g -o other "$(example bank)"
cp other "$executable"
expect_refusal "$HEDDLE" replay "$bug"
