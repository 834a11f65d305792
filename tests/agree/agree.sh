# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The strategies agree on 200 small programs.
exec "$ROOT/tests/agree/run" 200
