# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# An executor killed from outside: heddle goes on and ends as it should.
. "$ROOT/tests/helpers.bash"
"$HEDDLE" cc -g -o victim-program "$(program count_9)"
"$HEDDLE" run --strategy random --max-time 4 --max-runs 1000000000 --json out.json ./victim-program >stdout 2>stderr </dev/null &
heddle=$!
sleep 1.5
for child in $(pgrep -P $heddle); do kill -KILL "$child" || true; done
status=0
wait $heddle || status=$?
[ $status = 3 ] || [ $status = 1 ] || fail "status $status"
field out.json 'report["runs"]' >runs
[ "$(cat runs)" -gt 1000 ] || fail "only $(cat runs) runs"
