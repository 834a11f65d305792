# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A program built by heddle cc is an argument like a source file.
. "$ROOT/tests/helpers.bash"
"$HEDDLE" cc -g -O1 -o counter "$(example counter)"
expect_status 1 "$HEDDLE" run --json out.json ./counter
expect_equal kind "$(field out.json 'report["bugs"][0]["kind"]')" assertion
"$HEDDLE" cc -g -o arguments "$(program arguments)"
expect_status 0 "$HEDDLE" run ./arguments -- one "two words"
