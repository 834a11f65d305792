# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Every row of abi/intercepts.def has its definition.
exec "$ROOT/scripts/lint-intercepts" "$BUILD/libheddle-rt.a"
