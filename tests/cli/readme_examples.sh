# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The commands of README.md end and print as it says.
exec "$ROOT/tests/check-document" "$ROOT/README.md"
