# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Every C file is formatted.
exec "$ROOT/scripts/format" --check
