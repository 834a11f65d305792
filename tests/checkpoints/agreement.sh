# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The agreement tests on a few small programs each, with a checkpoint before every step: what strategies find and how many runs they
# make is the same. Runs of con2colic have no checkpoints.
set -eu
export HEDDLE_CHECKPOINTS=always
"$ROOT/tests/agree/run" 3 3
"$ROOT/tests/agree/loops" 6
"$ROOT/tests/agree/world" 6
"$ROOT/tests/agree/bounds" 1
"$ROOT/tests/files/agree" 2 1
"$ROOT/tests/polls/agree" 2 1
"$ROOT/tests/sharing/run" 2 1
"$ROOT/tests/symmetry/run" 1 3
"$ROOT/tests/unfolding/run" random 4
"$ROOT/tests/constructs/run" 3 5000
"$ROOT/tests/reachability/run" 8
"$ROOT/tests/inputs/agree" 1 5
"$ROOT/tests/inputs/run" random 6
