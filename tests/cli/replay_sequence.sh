# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A sequence that the user wrote down: allowed, or where the program departs; bad files say line and what was expected.
. "$ROOT/tests/helpers.bash"
dining=$ROOT/tests/programs/reachability_dining.c
ports=$ROOT/tests/programs/reachability_ports.c

printf 't1: semaphore wait forks[0]\nt2: semaphore wait forks[1]\nt3: semaphore wait forks[2] # the deadlock\n' > deadlock
expect_status 0 "$HEDDLE" replay --sequence deadlock "$dining"
expect_text stdout 'allowed: 3 operations; then deadlock'

printf 't1: semaphore wait forks[0]\nt1: semaphore wait forks[1]\nt2: semaphore wait forks[1]\n' > taken
expect_status 1 "$HEDDLE" replay --sequence taken "$dining"
expect_text stdout 'not allowed: line 3: t2 has to wait: semaphore wait forks[1]'

printf 't1: lock forks[0]\n' > other
expect_status 1 "$HEDDLE" replay --sequence=other "$dining"
expect_text stdout 'not allowed: line 1: t1 comes to semaphore wait forks[0]'

printf 't4: send port2\nt1: send\nt2: receive port2 from t4\nt2: receive from t1\n' > messages
expect_status 0 "$HEDDLE" replay --sequence messages "$ports"
printf 't1: send port2\n\nt2: receive port2 from t4\n' > nobody
expect_status 1 "$HEDDLE" replay --sequence nobody "$ports"
expect_text stdout 'line 3: t2 comes to receive port2'

printf '\nt9: P x\n' > bad
expect_status 2 "$HEDDLE" replay --sequence bad "$dining"
expect_text stderr 'bad:2: there is no thread t9; expected one of main, t1, t2, t3'
printf 't1 P x\n' > bad
expect_status 2 "$HEDDLE" replay --sequence bad "$dining"
expect_text stderr "bad:1: expected 'THREAD: OPERATION"
printf 't1: frobnicate x\n' > bad
expect_status 2 "$HEDDLE" replay --sequence bad "$dining"
expect_text stderr 'bad:1: expected an operation'
printf '# nothing\n' > bad
expect_status 2 "$HEDDLE" replay --sequence bad "$dining"
expect_text stderr 'bad: expected at least one operation'
