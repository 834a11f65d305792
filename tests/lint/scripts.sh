# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The shell scripts have no errors that shellcheck sees.
exec "$ROOT/scripts/lint-scripts"
