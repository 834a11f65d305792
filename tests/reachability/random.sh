# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Reachability testing makes every sequence of 150 random programs, and none twice.
exec "$ROOT/tests/reachability/run" 150
