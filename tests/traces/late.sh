# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# `optimal` makes one run per trace, too, when it finds out on its way what is shared.
set -eu
export HEDDLE_LEARNING=never
"$ROOT/tests/traces/run" optimal
