# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The readers of plans and traces (tests/unit/records.c), starting from traces that real runs left in bug directories.
. "$ROOT/tests/helpers.bash"
traces=()
for name in counter philosophers arguments; do
  expect_status 1 "$HEDDLE" run -o "out-$name" "$(example $name)"
  traces+=("$(first_bug "out-$name")/trace")
done
expect_status 0 "$BUILD/tests/unit/records" "${traces[@]}"
