# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Strategies agree on programs whose threads use files.
. "$ROOT/tests/helpers.bash"
"$ROOT/tests/files/agree" 12 1 || fail "strategies disagree"
