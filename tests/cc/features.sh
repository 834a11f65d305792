#!/bin/bash
# SPDX-License-Identifier: MIT
# Instrumented programs, run outside heddle, behave like plain ones.
. "$(dirname "$0")/library.bash"

clang-19 -mcx16 -w -O1 -o plain "$here/features.c" || fail "the plain build"
./plain > expected
expect "plain exit status" 7 $?
for level in -O0 -O1 -O2 -O3 -Os; do
  "$HEDDLE" cc $level -w -o instrumented "$here/features.c" || fail "heddle cc $level features.c"
  ./instrumented > actual
  expect "exit status at $level" 7 $?
  cmp expected actual || { diff expected actual; fail "output at $level differs from a plain build"; }
done
finish
