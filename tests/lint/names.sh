# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Every file that a comment or a document names exists; a name that does not would be seen.
. "$ROOT/tests/helpers.bash"
expect_status 0 "$ROOT/scripts/lint-names"

# A copy, in which a file is gone and others are named that never were.
git -C "$ROOT" ls-files -z --cached --others --exclude-standard | tar -C "$ROOT" --null --ignore-failed-read -cf - -T - | tar -xf -
git init -q .
expect_status 0 scripts/lint-names
rm docs/guide.md
gone=never_was
echo "See src/explore/$gone.c, and $gone.h for the rest." >>docs/query.md
printf '/* %s.def is a table. */\nstatic const char text[] = "other_%s.c";\n' $gone $gone >>src/base/text.c
printf '# tests/%s/run does it\n' $gone >>scripts/demo
expect_status 1 scripts/lint-names
expect_text stdout "README.md: there is no docs/guide.md"
expect_text stdout "docs/query.md: there is no src/explore/$gone.c"
expect_text stdout "docs/query.md: there is no $gone.h"
expect_text stdout "src/base/text.c: there is no $gone.def"
expect_text stdout "scripts/demo: there is no tests/$gone/run"
expect_no_text stdout "other_$gone" # not in a comment
