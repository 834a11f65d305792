# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# heddle explain: every kind of finding and warning that there is has an explanation.
. "$ROOT/tests/helpers.bash"
kinds=$(sed -n 's/^OUTCOME([A-Z_]*, BUG, "\([^"]*\)".*/\1/p; s/^WARNING([A-Z_]*, "\([^"]*\)".*/\1/p' "$ROOT/abi/outcomes.def" "$ROOT/abi/warnings.def" | sort -u)
[ "$(echo "$kinds" | wc -l)" -gt 12 ] || fail "kinds: $kinds"
for kind in $kinds; do
  expect_status 0 "$HEDDLE" explain "$kind"
  grep -q "^$kind: a " stdout || fail "no explanation"
  awk 'length > 100 { exit 1 }' stdout || fail "lines are too long"
done
expect_status 0 "$HEDDLE" explain
for kind in $kinds; do expect_text stdout "  $kind "; done
expect_refusal "$HEDDLE" explain nonsense
expect_refusal "$HEDDLE" explain deadlock livelock
