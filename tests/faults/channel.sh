# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A byte of the memory that heddle shares with the program changes: the result is as without, or clearly incomplete.
exec "$ROOT/tests/faults/run" channel 24
