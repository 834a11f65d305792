#!/bin/bash
# SPDX-License-Identifier: MIT
# The instrumenter inserts exactly the hooks it should.
. "$(dirname "$0")/library.bash"

works "$HEDDLE" cc -O2 -w --heddle-save-llvm -c -o hooks.o "$here/hooks.c"

# found FUNCTION NAMES: the hooks of the function with these names (a pattern), in order, without their __heddle_
found() {
  local all
  all=$(sed -n "/^define.*@$1(/,/^}/p" hooks.ll | grep -oE "call (void|i32) @__heddle_($2)\(" |
    sed 's/.*@__heddle_\(.*\)(/\1/' | tr '\n' ' ')
  echo "${all% }"
}

# hooks FUNCTION EXPECTED: those of accesses, calls and branches
hooks() {
  expect "hooks of $1" "$2" \
    "$(found "$1" '(read|write)_([1248]|range)|atomic_[a-z_]*|bounds|cover|at_call|opaque_call|foreign|indirect|unlisted|writes_unseen|section_[a-z]*')"
}

hooks racy "cover read_4 read_4 write_4"
hooks local_only "bounds bounds"
hooks escapes "write_4 write_8 write_4 read_8 write_8"
hooks copies "read_range write_range read_range write_range"
hooks odd_sizes "read_range write_range"
hooks atomics "atomic_write atomic_update atomic_compare_exchange cover atomic_read"
hooks names "at_call read_8 read_8 write_4 read_4 bounds write_4 write_4"
hooks calls "at_call opaque_call foreign at_call indirect writes_unseen write_range at_call cover at_call writes_unseen"
hooks __VERIFIER_atomic_double "section_enter read_4 cover read_4 write_4 section_leave"
hooks spins "read_4 cover"
hooks assembly "atomic_write atomic_read atomic_update"
hooks assembly_not_followed "at_call opaque_call atomic_update at_call opaque_call at_call opaque_call"

for name in 'node->lock' 'list->next' 'list->next->value' 'table\[1\]\[\]' own 'node\[2\].value' one two crooked.n; do
  grep -q "c\"$name\\\\00\"" hooks.ll || fail "no place is called $name"
done
for callee in __wrap_pthread_mutex_lock __heddle_call_strlen __wrap_abort; do
  grep -q "@$callee(" hooks.ll || fail "$callee is not called"
done
grep -q 'c"unknown_function\\00"' hooks.ll || fail "unknown_function is not noted"
for text in incl movb rdtsc; do grep -q "c\"$text" hooks.ll || fail "inline assembly $text is not noted"; done
for text in movl movq bsfl; do grep -q "c\"$text" hooks.ll && fail "inline assembly $text is noted"; done
grep -q '@__heddle_atomic_read(ptr %[0-9]*, i64 8,' hooks.ll || fail "the size of movq is not 8"
grep -q 'c"pause' hooks.ll && fail "pause is noted"
grep -q 'c"lock' hooks.ll && fail "a barrier is noted"
finish
