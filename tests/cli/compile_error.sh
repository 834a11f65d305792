# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A compile error: clang's message, status 2.
. "$ROOT/tests/helpers.bash"
printf 'int main(void) {\n  return undeclared_name;\n}\n' >broken.c
expect_status 2 "$HEDDLE" run broken.c
expect_text stderr "broken.c:2"
expect_text stderr "undeclared_name"
printf 'int missing(void);\nint main(void) { return missing(); }\n' >unlinked.c
expect_status 2 "$HEDDLE" run unlinked.c
expect_text stderr missing
