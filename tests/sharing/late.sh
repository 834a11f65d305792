# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Explorations that go on when more memory turns out to be shared agree with those that start again.
set -eu
"$ROOT/tests/sharing/run" 60 1
HEDDLE_LEARNING=never "$ROOT/tests/agree/attempts" --strategy optimal 60 1
