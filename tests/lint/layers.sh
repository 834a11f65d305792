# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Dependencies between folders point one way.
exec "$ROOT/scripts/lint-layers"
