# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# heddle doctor: all is well here; without a compiler, or with limited address space, it says so and what helps.
. "$ROOT/tests/helpers.bash"
expect_status 0 "$HEDDLE" doctor
expect_text stdout "ok       heddle finds the bug of a small program"
expect_text stdout "heddle works on this machine"
expect_equal "temporary files" "$(find . -name 'heddle-*')" ""
mkdir bin
expect_status 2 env PATH="$PWD/bin" "$HEDDLE" doctor
expect_text stdout "MISSING  clang-19, which compiles programs: apt-get install clang-19"
expect_text stdout "without  gdb, for heddle replay --gdb: apt-get install gdb"
expect_status 2 bash -c "ulimit -v 8000000; exec '$HEDDLE' doctor"
expect_text stdout "ulimit -v unlimited"
expect_refusal "$HEDDLE" doctor now
