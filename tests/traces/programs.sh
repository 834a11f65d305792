# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The programs of bench/programs have the numbers of traces that are written down for them, and the strategies find them.
exec "$ROOT/tests/traces/run" exhaustive optimal dpor-1 dpor-2 dpor-cr-sleep dpor-cr dpor race-flip
