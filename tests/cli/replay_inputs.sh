# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# heddle replay --inputs: one run; the exit status says how it went, and a bad file is refused.
. "$ROOT/tests/helpers.bash"
echo '<testcase/>' >none.xml
expect_status 0 "$HEDDLE" replay --inputs none.xml "$(program count_3)"
expect_text stdout finished
cat >fails.c <<'C'
#include <assert.h>
#include <stdio.h>
int main(int argc, char **argv) {
  printf("%d arguments\n", argc);
  assert(argc == 1);
}
C
expect_status 0 "$HEDDLE" replay --inputs=none.xml fails.c
expect_text stdout "1 arguments"
expect_status 1 "$HEDDLE" replay --inputs none.xml fails.c -- more
expect_text stdout "2 arguments"
expect_text stdout "assertion failed: argc == 1"
echo '<testcase><input>5</input></testcase>' >one.xml
expect_status 0 "$HEDDLE" replay --inputs one.xml fails.c
expect_text stdout "1 input of the file was not asked for"
for contents in '' 'words' '<testcase>' '<testcase><input>5</testcase>' '<other/>' '{"inputs": 5}' '{"inputs": [{}]}' 'KTEST' '{}'; do
  printf '%s' "$contents" >bad
  expect_refusal "$HEDDLE" replay --inputs bad fails.c
  expect_text stderr bad
done
expect_refusal "$HEDDLE" replay --inputs nosuchfile fails.c
expect_text stderr nosuchfile
expect_refusal "$HEDDLE" replay --inputs one.xml
expect_refusal "$HEDDLE" replay fails.c --inputs
expect_refusal "$HEDDLE" replay --inputs one.xml nosuchfile.c
