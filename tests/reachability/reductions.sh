# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The reductions of reachability testing: what is left of the sequences of the paper's bounded buffers, whatever the seed.
. "$ROOT/tests/helpers.bash"
sequences() { # COUNT PROGRAM REDUCTIONS
  for seed in 1 2; do
    "$HEDDLE" run --strategy reachability --races off --seed $seed --reduce "$3" --json out.json -I "$ROOT/include" \
      "$ROOT/bench/programs/$2.c" >/dev/null
    expect_equal "$2, $3, seed $seed" "$(field out.json '(report["complete"], report["runs"] - report["blocked_runs"])')" "(True, $1)"
  done
}
sequences 20 bb_monitor_su symmetry
sequences 150 bb_monitor_sc symmetry # threads that have done and seen the same; 336 when only first operations count
sequences 9 bb_semaphore symmetry    # 324 / (3! 3!)
sequences 36 bb_semaphore pv         # 3! 3!
sequences 1 bb_semaphore pv,symmetry
