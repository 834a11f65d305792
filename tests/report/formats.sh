# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# --sarif, --junit, --witness and --github, read by programs that heddle's authors did not write.
. "$ROOT/tests/helpers.bash"

explore() { # STATUS NAME OPTIONS...: writes NAME.sarif, NAME.junit.xml, NAME.graphml, NAME.yml and what is printed to NAME.txt
  local status=$1 name=$2
  shift 2
  expect_status "$status" "$HEDDLE" run --sarif "$name.sarif" --junit "$name.junit.xml" --witness "$name.graphml" --github "$@"
  mv stdout "$name.txt"
  expect_status "$status" "$HEDDLE" run --witness "$name.yml" "$@"
}

read_formats() { "$ROOT/tests/report/read_formats.py" "$ROOT/tests/report/sarif.schema.json" "$@"; }

for name in bank counter reserve counter_fixed; do cp "$(example $name)" .; done
explore 1 bank bank.c
explore 1 counter counter.c
explore 1 reserve reserve.c
explore 0 counter_fixed counter_fixed.c
explore 3 stopped --max-runs 3 counter_fixed.c
[ ! -e counter_fixed.graphml ] || fail "a witness of no violation"
[ ! -e counter_fixed.yml ] || fail "a witness of no violation"
read_formats bank.sarif counter.sarif counter_fixed.sarif bank.junit.xml counter_fixed.junit.xml stopped.junit.xml bank.graphml reserve.graphml \
  reserve.yml >seen || fail "$(cat seen)"
cat >wanted <<'END'
bank.sarif deadlock@bank.c lock-order@bank.c
counter.sarif assertion@counter.c data-race@counter.c
counter_fixed.sarif 
bank.junit.xml tests 1 failures 1 skipped 0: deadlock
counter_fixed.junit.xml tests 1 failures 0 skipped 0: 
stopped.junit.xml tests 1 failures 0 skipped 1: skipped
bank.graphml threads 3, created 2, ends at 23
END
head -n 7 seen | diff wanted - || fail "something else was read"
line=$(grep -n 'assert(' reserve.c | cut -d: -f1)
expect_text seen "reserve.graphml threads 3, created 2, ends at $line"
grep -q "^reserve.yml violation_sequence: function_return .* .result == .*, target $line\$" seen || fail "the witness: $(tail -n 1 seen)"
xmllint --noout ./*.junit.xml ./*.graphml || fail "not XML"
expect_text counter.txt "::error file=counter.c,line=$(grep -n 'assert(' counter.c | cut -d: -f1),title=An assertion failed::assertion failed: done == 2 * JOBS"
expect_text counter.txt "::warning file=counter.c,line="
expect_text counter.txt "::data race on done%0A    "
expect_text stopped.txt "::notice title=heddle%3A not everything was explored::"

# No absolute path, unless it is asked for; a file elsewhere loses its directory.
explore 1 elsewhere "$PWD/bank.c"
! grep -lF "$PWD" elsewhere.sarif elsewhere.junit.xml elsewhere.graphml elsewhere.yml || fail "an absolute path"
! grep "^::" elsewhere.txt | grep -F "$PWD" || fail "an absolute path"
expect_equal "read" "$(read_formats elsewhere.sarif)" "elsewhere.sarif deadlock@bank.c lock-order@bank.c"
expect_status 1 "$HEDDLE" run --absolute-paths --sarif absolute.sarif "$PWD/bank.c"
expect_text absolute.sarif "file://$PWD/bank.c"

# Strange names and words.
mkdir "a %b"
cat >"a %b/it's <odd> & \"quoted\".c" <<'END'
#include <assert.h>
int main(void) {
  int x = 3;
  assert(x < 3 && "]]> & \x01 \xff é ::error::");
}
END
explore 1 odd "a %b/it's <odd> & \"quoted\".c"
read_formats odd.sarif odd.junit.xml odd.graphml odd.yml >seen || fail "$(cat seen)"
expect_text seen "odd.sarif assertion@a%20%25b/it%27s%20%3Codd%3E%20%26%20%22quoted%22.c"
xmllint --noout odd.junit.xml odd.graphml || fail "not XML"
expect_equal "commands" "$(grep -c '^::' odd.txt)" 1

# What cannot be written is said before anything is explored.
for option in --sarif --junit --witness; do expect_refusal "$HEDDLE" run $option /nowhere/file counter.c; done
