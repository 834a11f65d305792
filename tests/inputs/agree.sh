# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The strategies agree on 60 small multithreaded programs with inputs.
exec "$ROOT/tests/inputs/agree" 60
