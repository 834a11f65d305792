# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Neither temporary files nor processes are left; without a bug, no output directory either.
. "$ROOT/tests/helpers.bash"
mkdir temporary here
export TMPDIR=$PWD/temporary
(cd here && "$HEDDLE" run "$(program count_3)" >/dev/null 2>&1)
(cd here && "$HEDDLE" run "$(program kill_itself)" >/dev/null 2>&1) || true
expect_equal "temporary files" "$(ls -A temporary)" ""
rm -rf here/heddle-out
expect_equal files "$(ls -A here)" ""
