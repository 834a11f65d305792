# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# All strategies come to all traces of pseudo-random programs with ports, semaphores and monitors.
"$ROOT/tests/constructs/run" 25 5000
