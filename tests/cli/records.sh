# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The readers of plans and traces (tests/unit/records.c), starting from those that real runs left in bug directories.
. "$ROOT/tests/helpers.bash"
records=()
for name in counter philosophers arguments; do
  expect_status 1 "$HEDDLE" run -o "out-$name" "$(example $name)"
  records+=("$(first_bug "out-$name")/trace" "$(first_bug "out-$name")/plan")
done
expect_status 0 "$BUILD/tests/unit/records" "${records[@]}"
