# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# make demo ends with a found bug, its replay and its table.
. "$ROOT/tests/helpers.bash"
BUILD=$BUILD expect_status 0 "$ROOT/scripts/demo"
expect_text stdout "assertion failed"
expect_text stdout "heddle replay"
expect_text stdout "heddle show"
