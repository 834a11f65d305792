# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# con2colic testing covers the branches that exhaustive covers, on 60 small programs with inputs and locks.
exec "$ROOT/tests/con2colic/run" 80
