# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The examples: wrong twins are found, right ones are clean, and a violation shows the calls on a time line. The header works
# with another compiler as well.
. "$ROOT/tests/helpers.bash"
cp -r "$ROOT/examples/linearizability" examples
expect_status 1 "$HEDDLE" test examples
expect_text stdout "6 tests, 3 clean, 3 BUG"
for object in stack queue map; do
  grep -qE "^examples/${object}_test.c: $object +clean " stdout || fail "the right $object"
  grep -qE "^examples/${object}_test.c: wrong_$object +BUG .*the calls are linearizable" stdout || fail "the wrong $object"
done
cp stdout table
for object in stack queue map; do
  expect_status 1 "$HEDDLE" replay heddle-out/${object}_test/wrong_$object/bug-1
  cat stderr >>stdout
  grep -qE '^  thread 1  .*\[.*=.*\]' stdout || fail "no time line"
  gcc -I "$ROOT/include" -o $object-test examples/${object}_test.c -pthread || fail "gcc"
  expect_equal "tests of $object" "$(./$object-test --list | awk '$1 == "test" { print $2 }' | tr '\n' ' ')" "$object wrong_$object "
  ./$object-test $object || fail "$object with gcc"
done
for strategy in dpor-2 optimal unfolding; do
  expect_status 1 "$HEDDLE" test --strategy=$strategy examples/queue_test.c
  grep -qE ": queue +clean " stdout || fail "$strategy: the right queue"
  grep -qE ": wrong_queue +BUG " stdout || fail "$strategy: the wrong queue"
done
