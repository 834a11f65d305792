# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The strategies agree on 60 small programs that wait for each other in the kernel.
exec "$ROOT/tests/agree/world" 60
