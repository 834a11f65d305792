# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The program's process is killed in some steps of some explorations: the result is as without, or clearly incomplete.
exec "$ROOT/tests/faults/run" kills 12
