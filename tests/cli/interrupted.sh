# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Control-C ends the exploration and still reports; no executor is left behind.
. "$ROOT/tests/helpers.bash"
"$HEDDLE" cc -g -o interrupted-program "$(program count_9)"
set -m
"$HEDDLE" run --strategy random --max-runs 1000000000 --json out.json ./interrupted-program >stdout 2>stderr </dev/null &
heddle=$!
sleep 2
kill -INT $heddle
status=0
wait $heddle || status=$?
[ $status = 3 ] || [ $status = 130 ] || fail "status $status after an interrupt"
sleep 0.5
! pgrep -f interrupted-program >/dev/null || fail "an executor is left"
