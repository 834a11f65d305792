# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The partial order reductions on programs with inputs: each shows what exhaustive shows, and those with sleep sets make
# one run per trace and way through the decisions, besides blocked ones.
. "$ROOT/tests/helpers.bash"

# explore STRATEGY PROGRAM OPTION...: what was observed and found, and how complete that is
explore() {
  local strategy=$1 program=$2
  shift 2
  "$HEDDLE" run --keep-going --strategy "$strategy" --races off --json report.json "$@" "$program" >/dev/null 2>&1 || true
  field report.json "report['complete'], sorted(o['outcome'] for o in report['observations']), sorted((b['kind'], b['line']) for b in report['bugs'])"
}

# check NAME RUNS: runs of those with sleep sets
check() {
  local name=$1 runs=$2 strategy order expected
  "$HEDDLE" cc -g -o program "$ROOT/tests/programs/$name.c"
  expected=$(explore exhaustive program)
  for order in first random; do
    for strategy in dpor dpor-cr dpor-cr-sleep dpor-1 dpor-2 race-flip; do
      shown=$(explore "$strategy" program --order "$order")
      [ "$shown" = "$expected" ] || fail "$name: exhaustive shows $expected, $strategy ($order) $shown"
      case $strategy in dpor | dpor-cr) continue ;; esac
      made=$(field report.json "report['runs'] - report['blocked_runs']")
      [ "$made" = "$runs" ] || fail "$name: $made runs with $strategy ($order), expected $runs"
    done
  done
}

check dpor_inputs_branch 3
check dpor_inputs_seats 7
check dpor_inputs_section 8
check dpor_cut_short 2
check dpor_inputs_exchange 3
# Whoever goes first. (When the exchange does, and fails, there may be one run more than traces.)
for seed in 1 2 3 4 5 6; do
  shown=$(explore dpor-2 program --seed $seed)
  [ "$shown" = "$(explore exhaustive program)" ] || fail "dpor_inputs_exchange, seed $seed: $shown"
done
