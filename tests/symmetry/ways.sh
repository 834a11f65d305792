# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Two threads that are the same are explored once; whatever tells them apart is noticed, and nothing is left out then.
. "$ROOT/tests/helpers.bash"
explored() { # WAY SYMMETRY: runs, observations and kinds of bugs
  rm -f "$2.json"
  "$HEDDLE" run --keep-going --races off --minimise 0 --symmetry "$2" --json "$2.json" -I "$ROOT/include" -DWAY="$1" \
    "$ROOT/tests/symmetry/ways.c" >"$2.text" 2>&1 || true
  field "$2.json" '(report["complete"], report["runs"], sorted(o["outcome"] for o in report["observations"]), sorted(b["kind"] for b in report["bugs"]))'
}
told() { grep -c "explored separately" auto.text; }

for way in NOTHING EQUAL_RESULTS ATTRIBUTE HANDLES DIFFERENCE OWN_BLOCK; do
  expect_equal "$way, each" "$(explored $way off)" "(True, 2, [], [])"
  expect_equal "$way, once" "$(explored $way auto)" "(True, 1, [], [])"
  expect_equal "$way: nothing is said" "$(told)" 0
done
for way in SELF JOIN_ONE STEP_BETWEEN SLOT_BETWEEN RESULTS C11_RESULTS DETACH CANCEL KILL NAME LOCAL BLOCK THREAD_LOCAL NUMBER RANDOM \
  BARRIER CHILD JOINER INPUT FAILURE; do
  each=$(explored $way off)
  expect_equal "$way" "$(explored $way auto)" "$each"
  expect_equal "$way: that is said" "$(told)" 1
done
# These are not taken to be the same in the first place.
for way in ARGUMENT STEP_WHILE_CREATING WRITE_WHILE_CREATING JOIN_WHILE_CREATING; do
  each=$(explored $way off)
  expect_equal "$way" "$(explored $way auto)" "$each"
  expect_equal "$way: nothing is said" "$(told)" 0
done
