# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# So it does on 100 pseudo-random programs.
exec "$ROOT/tests/inputs/run" random 100
