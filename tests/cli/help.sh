# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Help and version, from the command and its subcommands.
. "$ROOT/tests/helpers.bash"
expect_status 0 "$HEDDLE" --help
expect_text stdout "heddle run"
expect_status 0 "$HEDDLE" run --help
expect_text stdout "--strategy"
expect_text stdout "exhaustive"
expect_text stdout "--max-preemptions"
expect_status 0 "$HEDDLE" --version
