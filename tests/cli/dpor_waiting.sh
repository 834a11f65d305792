# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The partial order reductions come to an end without divergence where threads wait in ways of their own: spin loops,
# attempts in a loop, cancellation, allocations that fail. The verdict is that of exhaustive.
. "$ROOT/tests/helpers.bash"

member() { # of out.json
  python3 -c 'import json, sys; print(json.load(open("out.json"))[sys.argv[1]])' "$1"
}

for program in examples/peterson examples/peterson_fixed examples/seqlock_fixed tests/programs/spin_trylock \
  tests/programs/spin_two_flags tests/programs/livelock_cas tests/programs/sync_rwlock_try_loop \
  tests/programs/system_cancel_condition tests/programs/system_queue_cancel tests/programs/system_malloc_fail_finds; do
  "$HEDDLE" cc -g -O2 -o program "$ROOT/$program.c"
  options=(--keep-going --minimise 0 --json out.json)
  case $program in *malloc*) options+=(--malloc-fail) ;; esac
  wanted=
  for strategy in exhaustive optimal dpor-2; do
    "$HEDDLE" run "${options[@]}" --strategy "$strategy" ./program >/dev/null 2>&1 || true
    found="$(member verdict) $(member complete) divergences $(member divergences)"
    : "${wanted:=${found}}"
    if [ "$found" != "$wanted" ] || [ "${found#* }" != "True divergences 0" ]; then
      echo "$program, $strategy: $found instead of $wanted"
      exit 1
    fi
  done
done
