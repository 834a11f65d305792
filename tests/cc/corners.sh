#!/bin/bash
# SPDX-License-Identifier: MIT
# Unusual code still means the same, and objects of other compilers fit in.
. "$(dirname "$0")/library.bash"

works clang-19 -w -O1 -o plain "$here/corners.c"
./plain > expected || fail "the plain build does not run"
for flags in -O0 -O2 "-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections" "-O2 -fno-strict-aliasing -fwrapv -g0"; do
  works "$HEDDLE" cc $flags -w -o instrumented "$here/corners.c"
  ./instrumented > actual || fail "exit status with $flags"
  cmp expected actual || { diff expected actual; fail "output with $flags differs from a plain build"; }
done

# Objects and archives of another compiler.
works clang-19 -w -O1 -c -o foreign.o "$here/corners.c"
works "$HEDDLE" cc foreign.o -o foreign
./foreign > actual || fail "an object of another compiler"
cmp expected actual || fail "output of an object of another compiler"

# The tables that the engine reads are there.
readelf -SW instrumented > sections
for section in heddle_sites heddle_coverage heddle_branches heddle_notes heddle_functions; do
  grep -q " $section " sections || fail "no section $section"
done

# Garbage collection of sections drops what is not used, with what it would have needed.
printf 'int missing(void);\nint unused(void) { return missing(); }\nint main(void) { return 0; }\n' > unused.c
works "$HEDDLE" cc -O1 -ffunction-sections -Wl,--gc-sections unused.c -o program
works ./program
finish
