# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Long runs cost linear time: four times as long a run must not take nine times as much of the processor (quadratic would
# be 16 times), measured in the same test, twice if need be.
. "$ROOT/tests/helpers.bash"

rounds=8000

seconds() { # STRATEGY WHAT N: of the processor, heddle and the program; three runs after the learning runs
  expect_status 3 bash -c 'TIMEFORMAT=%U; { time "$0" "$@" >stdout 2>stderr; } 2>seconds' \
    "$HEDDLE" run --strategy "$1" --seed 1 --max-events 1000000 --max-runs 3 --json report.json ./long_runs -- "$2" "$3"
  expect_equal "what ended $1 of $2" "$(field report.json "report['runs']")" 3
  cat seconds
}

is_linear() { # STRATEGY WHAT
  local short long
  short=$(seconds "$1" "$2" "$rounds")
  long=$(seconds "$1" "$2" $((4 * rounds)))
  echo "$1 $2: $short s, $long s for four times as much"
  python3 -c 'import sys; sys.exit(float(sys.argv[2]) > 9 * float(sys.argv[1]))' "$short" "$long"
}

expect_linear() { # STRATEGY WHAT...
  local strategy=$1
  shift
  for what in "$@"; do
    is_linear "$strategy" "$what" || is_linear "$strategy" "$what" || fail "$strategy is not linear: $what"
  done
}

"$HEDDLE" cc -O1 -Wno-unused-parameter "$ROOT/tests/cli/long_runs.c" -o long_runs
expect_linear optimal mutex rwlock semaphore reads exchange blocks
expect_linear dpor-2 semaphore reads
expect_linear exhaustive mutex
expect_linear random turns
expect_linear reachability mutex turns
expect_linear unfolding mutex reads
expect_linear contextual mutex exchange
