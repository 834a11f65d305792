# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Runs from checkpoints have the traces of runs from main, byte by byte; and the strategies agree when checkpoints are
# taken before every step.
set -eu
RUNS=15 "$ROOT/tests/checkpoints/run" 48
export HEDDLE_CHECKPOINTS=always
"$ROOT/tests/agree/attempts" --strategy optimal 4 1
