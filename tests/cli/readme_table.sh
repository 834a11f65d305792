# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# README.md lists every example that has a bug, and heddle says what it says there; every example has a repaired twin.
. "$ROOT/tests/helpers.bash"
for file in "$ROOT"/examples/*.c; do
  name=$(basename "$file" .c)
  case $name in *_fixed) continue ;; esac
  [ -f "$ROOT/examples/${name}_fixed.c" ] || fail "no examples/${name}_fixed.c"
  said=$(sed -nE "s,^\| \[$name\]\(examples/$name\.c\) \| .* \| \`(.*)\` \|\$,\1,p" "$ROOT/README.md")
  [ -n "$said" ] || fail "README.md does not list examples/$name.c"
  expect_status 1 "$HEDDLE" run "$file"
  expect_text stdout "bug 1: $said"
done
