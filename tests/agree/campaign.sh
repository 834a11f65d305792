# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A campaign that was interrupted in the middle of a line continues where it was, and its table counts every program once.
. "$ROOT/tests/helpers.bash"
expect_status 0 "$ROOT/tests/agree/campaign" log --strategy optimal --seeds 1 3 1
expect_text stdout '| `optimal` | 3 |'
head -c -5 log >shorter.log && mv shorter.log log
expect_status 0 "$ROOT/tests/agree/campaign" log --strategy optimal --figures
expect_text stdout '| `optimal` | 2 |'
expect_status 0 "$ROOT/tests/agree/campaign" log --strategy optimal --seeds 1 4 1
expect_text stdout '| `optimal` | 4 |'
