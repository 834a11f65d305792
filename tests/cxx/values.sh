# SPDX-License-Identifier: MIT
#
# values.cc: every case holds in every schedule, and nothing of it is unknown to heddle.
set -eu
. "$ROOT/tests/helpers.bash"
"$HEDDLE" c++ -std=c++20 -O2 -o values "$ROOT/tests/cxx/values.cc"

cases=(threads mutexes timed_mutexes shared_mutexes conditions once fresh_once futures tasks atomics latches barriers
  semaphores at_thread_exit)
for name in "${cases[@]}"; do
  "$HEDDLE" run values -- "$name" >out 2>&1 || { echo "$name: status $?" && cat out && exit 1; }
  expect_text out "clean: every schedule was explored"
  if grep -n warning out; then echo "$name: there are warnings" && exit 1; fi
done

# Of stop tokens there are too many schedules for a test.
"$HEDDLE" run --strategy random --max-runs 200 values -- stop_tokens >out 2>&1 || [ $? = 3 ] || { cat out && exit 1; }
expect_text out "no bug found"
