# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The runtime defines and uses only the names it may.
exec "$ROOT/scripts/lint-runtime-symbols" "$BUILD/libheddle-rt.a"
