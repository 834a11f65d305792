# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Symbolic memory given to a function in another file: followed when heddle compiled it, made concrete when it did not.
. "$ROOT/tests/helpers.bash"
printf 'int is_magic(const int *x) { return *x == 123456; }\n' >magic.c
cat >main.c <<'C'
#include "heddle.h"
#include <assert.h>
int is_magic(const int *);
int main(void) {
  int x = heddle_input_int("x");
  assert(!is_magic(&x));
  return 0;
}
C
expect_status 1 "$HEDDLE" run main.c magic.c
expect_text stdout "int x = 123456"
cc -c magic.c
expect_status 3 "$HEDDLE" run main.c magic.o
expect_text stdout "passed to is_magic, which is not followed"
