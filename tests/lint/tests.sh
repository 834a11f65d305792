# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Everything in tests/ is run, or belongs to something that is; a file that is not would be seen.
. "$ROOT/tests/helpers.bash"
expect_status 0 "$ROOT/scripts/lint-tests"

# A copy, in which one test has lost what runs it.
git -C "$ROOT" ls-files -z --cached --others --exclude-standard tests scripts Makefile examples | tar -C "$ROOT" --null --ignore-failed-read -cf - -T - | tar -xf -
git init -q .
expect_status 0 scripts/lint-tests
folder=tests/$(printf '%s' reachability) # not by its name, which would count
rm "$folder/random.sh" tests/checkpoints/agreement.sh
expect_status 1 scripts/lint-tests
expect_text stdout "$folder/run: nothing runs it"
expect_text stdout "$folder/random.c: nothing runs it"
cp tests/programs/count_3.c tests/programs/misspelt.c
sed -i 's@^// expect:@// expects:@' tests/programs/misspelt.c
expect_status 1 scripts/lint-tests
expect_text stdout "tests/programs/misspelt.c: tests/check-program does not know '// expects:'"
