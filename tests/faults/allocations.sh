# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# heddle's n-th allocation fails, for some n of some explorations: one clear line, status 2, nothing left.
exec "$ROOT/tests/faults/run" allocations 12
