# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Quotes, newlines and bytes outside UTF-8 in messages give JSON that can be read.
. "$ROOT/tests/helpers.bash"
printf '#include <assert.h>\n#include <string.h>\nint main(int c, char **v) { assert(strcmp(v[0], "quote\\"back\\\\slash\\tand\\1 \xff") == 0); }\n' >'strange "name".c'
expect_status 1 "$HEDDLE" run --json out.json 'strange "name".c'
expect_equal bugs "$(field out.json 'len(report["bugs"])')" 1
