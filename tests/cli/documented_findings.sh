# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# docs/findings.md has every kind of bug and warning, and its commands print what it shows.
. "$ROOT/tests/helpers.bash"
document=$ROOT/docs/findings.md
for kind in $(sed -nE 's/^OUTCOME\([A-Z_]+, BUG, "([^"]+)".*/\1/p' "$ROOT/abi/outcomes.def" | sort -u); do
  grep -q "^### $kind\$" "$document" || fail "docs/findings.md has no section $kind"
done
for kind in $(sed -nE 's/^WARNING\([A-Z_]+, "([^"]+)".*/\1/p' "$ROOT/abi/warnings.def" | sort -u); do
  sed -n '/^## Warnings/,$p' "$document" | grep -q "^### $kind\$" || fail "docs/findings.md has no section $kind under Warnings"
done
exec "$ROOT/tests/check-document" "$document"
