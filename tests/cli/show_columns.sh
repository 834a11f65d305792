# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# heddle show: a column per thread, a line per visible operation with source line, object and value.
. "$ROOT/tests/helpers.bash"
expect_status 1 "$HEDDLE" run -o out "$(example bank)"
expect_status 0 "$HEDDLE" show "$(first_bug out)"
expect_text stdout "bank.c"
expect_text stdout "main"
expect_text stdout "lock"
expect_text stdout "checking"
expect_text stdout "savings"
rm -rf out
expect_status 1 "$HEDDLE" run -o out "$(example counter)"
expect_status 0 "$HEDDLE" show "$(first_bug out)"
expect_text stdout "read"
expect_text stdout "write"
expect_text stdout "done"
awk 'length($0) > 400' stdout | grep -q . && fail "lines too long to read" || true
