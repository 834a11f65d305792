# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The programs of the paper on reachability testing have as many sequences as it says (those that take long apart).
. "$ROOT/tests/helpers.bash"
sequences() { # number, program, flags of the compiler..., options of heddle run
  local number=$1 program=$2 flags=() options=()
  shift 2
  for word in "$@"; do
    case $word in --*) options+=("$word") ;; *) flags+=("$word") ;; esac
  done
  "$HEDDLE" cc -O2 -g "${flags[@]}" -o program "$ROOT/bench/programs/$program.c"
  rm -rf out report.json
  "$HEDDLE" run --strategy reachability --keep-going "${options[@]}" --json report.json -o out ./program >output || [ $? = 1 ]
  grep -q "^ *\"runs\": $number,$" report.json || { echo "$program $*: not $number" && head -20 output && exit 1; }
}
sequences 144 bb_select
sequences 324 bb_semaphore
sequences 720 bb_monitor_su
sequences 768 rw_select
sequences 30 dp_monitor_su -DPHILOSOPHERS=3
sequences 624 dp_monitor_su -DPHILOSOPHERS=4
sequences 504 dme --reduce=order=replies
for n in 3 4 5 6 7 8 9; do
  sequences $((2 ** n - 1)) dp_deadlock -DPHILOSOPHERS=$n
  grep -q '"kind": "deadlock"' report.json
done
