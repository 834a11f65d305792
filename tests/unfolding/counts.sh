# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The unfoldings of programs of bench/programs have as many events as are written down for them.
exec "$ROOT/tests/unfolding/run" counts
