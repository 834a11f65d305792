# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Every row of abi/intercepts.def has a test program that calls its function.
exec "$ROOT/scripts/lint-tested-intercepts"
