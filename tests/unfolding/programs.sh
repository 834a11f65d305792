# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Every primitive: unfoldings show what exhaustive exploration shows.
exec "$ROOT/tests/unfolding/run" programs
