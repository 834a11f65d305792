# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Tables in documents that are written from others are up to date.
"$ROOT/scripts/document-intercepts" --check && "$ROOT/scripts/document-options" --check
