# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# An executable that heddle cc did not build, and files that are not programs at all.
. "$ROOT/tests/helpers.bash"
expect_refusal "$HEDDLE" run /bin/true
echo 'not an executable' >text
chmod +x text
expect_status 2 "$HEDDLE" run ./text
: >empty.c
expect_status 2 "$HEDDLE" run empty.c
