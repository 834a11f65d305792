# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A bug repeats every time, with the same words.
. "$ROOT/tests/helpers.bash"
for name in bank queue stack wakeup; do
  rm -rf out
  expect_status 1 "$HEDDLE" run -o out "$(example $name)"
  bug=$(first_bug out)
  expect_status 1 "$HEDDLE" replay "$bug"
  mv stdout first
  for _ in $(seq 19); do
    expect_status 1 "$HEDDLE" replay "$bug"
    cmp -s stdout first || fail "replay of $name differs"
  done
done
