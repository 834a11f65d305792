# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# What heddle query says about states of random programs is what trying every interleaving says.
#
#     python3 tests/cli/query_random.py build/heddle 1 300 20      hundreds of programs
. "$ROOT/tests/helpers.bash"
expect_status 0 python3 "$ROOT/tests/cli/query_random.py" "$HEDDLE" 1 4 8
expect_text stdout "4 programs"
