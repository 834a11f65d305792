# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# `exhaustive` and `optimal` agree with brute force on 80 small programs whose threads wait in loops.
exec "$ROOT/tests/agree/loops" 80
