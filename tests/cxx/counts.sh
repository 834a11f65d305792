# SPDX-License-Identifier: MIT
#
# counts.cc: how many runs there are of each case, with `exhaustive` (all interleavings of visible operations) and with `optimal`
# (one for every Mazurkiewicz trace). Both see the same.
#
# case             exhaustive optimal
#   thread            1  1    nothing is shared
#   mutex             2  2    who locks first
#   recursive_mutex   2  2    likewise
#   try_lock          4  4    who is first; the other fails, or comes after the unlock
#   timed_mutex       3  3    who is first; the second thread may also run out of time while the first has it
#   shared_mutex      6  1    two readers: (2 + 2 over 2) interleavings, which commute
#   condition         2  2    the waiter is first and sleeps, or it finds the flag set: the mutex is held all the while
#   once              2  2    who enters first; the other waits for the end
#   guard             6  2    who initialises; then its own read of the variable may come before, between or after the other's pass through
#                             the guard and read
#   atomic            2  2    two updates
#   wait              6  3    the load comes after the store (2: before or after the notification, which nobody needs); the thread sleeps
#                             before the store (1); or the futex has another value by then (3 places for the notification)
#   wait_byte        15  4    likewise with one more load and one more update, of the count of notifications: 9 + 2 + 4
#   semaphore         2  2    who acquires first
#   latch             2  2    two updates; the later one notifies
#   barrier          70  2    four operations of each thread until both have arrived, (4 + 4 over 4); the later one then goes on alone
#   future            -  4    the value is there before the first look, before the waiter says that it waits, before it sleeps, or after
#   exception         2  2    who updates first throws: exceptions have no operations of their own
#   thread_locals     2  2    whose destructor runs first
set -eu
. "$ROOT/tests/helpers.bash"
"$HEDDLE" c++ -std=c++20 -O2 -o counts "$ROOT/tests/cxx/counts.cc"

observed() { python3 -c 'import json; r = json.load(open("out.json")); print(r["runs"], ";", *sorted(o["outcome"] for o in r["observations"]), sep="")'; }

bad=0
while read -r hash name exhaustive optimal _; do
  [ "$hash" = "#" ] && [[ $exhaustive =~ ^([0-9]+|-)$ ]] && [[ $optimal =~ ^[0-9]+$ ]] || continue
  seen=()
  for strategy in exhaustive optimal; do
    "$HEDDLE" run --strategy $strategy --json out.json counts -- "$name" >out 2>&1 || { cat out && exit 1; }
    seen+=("$(observed)")
  done
  if [ "$exhaustive" != - ] && [ "${seen[0]%%;*}" != "$exhaustive" ]; then echo "$name: exhaustive: ${seen[0]}" && bad=1; fi
  if [ "${seen[1]%%;*}" != "$optimal" ]; then echo "$name: optimal: ${seen[1]}" && bad=1; fi
  if [ "${seen[0]#*;}" != "${seen[1]#*;}" ]; then echo "$name: they differ: ${seen[*]}" && bad=1; fi
  cases=$((${cases:-0} + 1))
done <"$ROOT/tests/cxx/counts.sh"
[ "$cases" = 18 ]
exit $bad
