# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Same program, same seed: the same bytes, except times.
. "$ROOT/tests/helpers.bash"
filter() { sed -E 's/"(seconds|deadlock_seconds|runs_per_second|peak_rss_kb)": *[0-9.e+-]+/"\1": 0/g' "$1"; }
compare() { # OPTIONS... FILE
  for i in 1 2; do
    rm -rf out
    "$HEDDLE" run --json "report$i.json" -o out "$@" >"output$i" 2>&1 || true
    [ -d out ] && (cd out && find . -type f | sort | xargs -r sha256sum) >"files$i" || : >"files$i"
  done
  diff <(filter report1.json) <(filter report2.json) || fail "the JSON differs: $*"
  diff files1 files2 || fail "the bug directories differ: $*"
}
compare --strategy exhaustive --keep-going "$(example bank)"
compare --strategy exhaustive "$(program store_buffering)"
compare --strategy random --seed 5 --max-runs 3000 "$(program store_buffering)"
compare --strategy random --seed 5 --keep-going --max-runs 2000 "$(example queue)"
compare --strategy pct --seed 5 --max-runs 2000 "$(example stack)"
compare --strategy random --seed 5 --max-runs 20000 "$(example stack)"
"$HEDDLE" run --json a.json --strategy random --seed 1 --max-runs 100 "$(program store_buffering)" >/dev/null 2>&1 || true
"$HEDDLE" run --json b.json --strategy random --seed 2 --max-runs 100 "$(program store_buffering)" >/dev/null 2>&1 || true
! cmp -s <(field a.json 'report["observations"]') <(field b.json 'report["observations"]') || fail "seeds make no difference"
