# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The programs of bench/programs have the numbers of traces that are written down for them.
exec "$ROOT/tests/traces/run" exhaustive
