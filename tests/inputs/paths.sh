# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# heddle takes exactly the paths that enumerating all inputs shows.
exec "$ROOT/tests/inputs/run" paths
