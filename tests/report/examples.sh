# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The page of every example's bug, opened in a browser: nothing to complain about, every link leads somewhere, keys step through.
. "$ROOT/tests/helpers.bash"
pages=()
for example in "$ROOT"/examples/*.c; do
  name=$(basename "$example" .c)
  [[ $name != *_fixed ]] || continue
  expect_status 1 "$HEDDLE" run --html "$name.html" "$example"
  expect_text "$name.html" "<svg"
  pages+=("$name.html")
done
count=${#pages[@]}
[ "$count" -gt 30 ] || fail "only $count examples"
"$ROOT/tests/report/browse.py" "${pages[@]}" >seen 2>&1 || fail "$(cat seen)"
expect_equal "complaints" "$(grep -c 'complaints: \[\]' seen)" "$count"
expect_equal "fetched" "$(grep -c 'fetched: \[\]' seen)" "$count"
expect_equal "links" "$(grep -c 'links to nothing: 0' seen)" "$count"
expect_equal "marks" "$(grep -c 'marks beside their rows: True' seen)" "$count"
expect_equal "steps" "$(grep -c '  end: \[.*true, true' seen)" "$count"
! grep -E '(down|j|up|end|k|home|click.*): .*(false|null$)' seen || fail "a row or its line is not in sight"
