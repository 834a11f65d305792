# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# --coverage: a tracefile of lcov that says which functions, branches and lines were reached, and is well-formed.
. "$ROOT/tests/helpers.bash"
cat >other.c <<'C'
int unused(int x) {
  return x + 1;
}
C
cat >program.c <<'C'
#include <stdlib.h>
static int side(int x) {
  if (x > 5)
    return 1; /* NOT REACHED */
  return 0;   /* REACHED */
}
static void never(void) {
  abort(); /* NOT REACHED */
}
int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += side(i);
  if (argc == 99) never();
  if (argc == 98 && sum == 5) sum++;
  int *p = NULL;
  sum += 1; /* REACHED */
  sum += *(volatile int *)p; /* REACHED */
  return sum; /* NOT REACHED */
}
C
cat >read.py <<'PYTHON'
import re, sys
records, record = {}, None
for line in open(sys.argv[1]).read().split("\n")[:-1]:
    if line == "TN:":
        assert record is None
        record = {"functions": {}, "called": {}, "branches": {}, "lines": {}, "order": []}
    elif line == "end_of_record":
        for found, hit, values in (("FNF", "FNH", record["called"]), ("BRF", "BRH", record["branches"]), ("LF", "LH", record["lines"])):
            assert record[found] == len(values), found
            assert record[hit] == sum(v not in ("0", "-") for v in values.values()), hit
        assert set(record["functions"]) == set(record["called"])
        assert list(record["lines"]) == sorted(record["lines"]), "lines are not in order"
        record = None
    elif match := re.fullmatch(r"SF:(/.+)", line):
        assert match[1] not in records, "a file occurs twice"
        records[match[1]] = record
    elif match := re.fullmatch(r"FN:(\d+),(\w+)", line):
        record["functions"][match[2]] = int(match[1])
    elif match := re.fullmatch(r"FNDA:([01]),(\w+)", line):
        record["called"][match[2]] = match[1]
    elif match := re.fullmatch(r"BRDA:(\d+),(\d+),([01]),([01]|-)", line):
        key = tuple(int(match[i]) for i in (1, 2, 3))
        assert key not in record["branches"]
        record["branches"][key] = match[4]
    elif match := re.fullmatch(r"DA:(\d+),([01])", line):
        assert int(match[1]) not in record["lines"]
        record["lines"][int(match[1])] = match[2]
    elif match := re.fullmatch(r"(FNF|FNH|BRF|BRH|LF|LH):(\d+)", line):
        record[match[1]] = int(match[2])
    else:
        sys.exit(f"what is {line!r}?")
assert record is None
program = next(value for name, value in records.items() if name.endswith("/program.c"))
other = next(value for name, value in records.items() if name.endswith("/other.c"))
assert other["called"] == {"unused": "0"} and set(other["lines"].values()) == {"0"}, other
assert program["called"] == {"main": "1", "side": "1", "never": "0"}, program["called"]
for number, text in enumerate(open("program.c"), 1):
    if "REACHED" in text:
        wanted = "0" if "NOT REACHED" in text else "1"
        assert program["lines"][number] == wanted, (text, program["lines"])
assert program["branches"][(3, 0, 0)] == "1" and program["branches"][(3, 0, 1)] == "0", program["branches"]
assert program["branches"][(12, 0, 0)] == "1" and program["branches"][(12, 0, 1)] == "1", program["branches"]
assert sorted(v for k, v in program["branches"].items() if k[0] == 14) == ["-", "-", "0", "1"], program["branches"]
PYTHON
expect_status 1 "$HEDDLE" run --coverage cover.info --json with.json program.c other.c
python3 read.py cover.info || fail "the tracefile: $(cat cover.info)"
if command -v genhtml >/dev/null; then expect_status 0 genhtml --branch-coverage -o html cover.info; fi
# Branches are counted as without lines.
expect_status 1 "$HEDDLE" run --json without.json program.c other.c
expect_equal branches "$(field with.json 'report["branches"]')" "$(field without.json 'report["branches"]')"
# A program that was built without lines has branches alone, and heddle says so.
expect_status 0 "$HEDDLE" cc -g -o built program.c other.c
expect_status 1 "$HEDDLE" run --coverage built.info ./built
expect_text stdout "heddle-line-coverage"
expect_text built.info "BRDA:3,0,1,0"
expect_no_text built.info "DA:3,1"
expect_status 0 "$HEDDLE" cc -g --heddle-line-coverage -o built program.c other.c
expect_status 1 "$HEDDLE" run --coverage built.info ./built
cmp cover.info built.info || fail "built beforehand it is something else"
# Outside heddle it runs as usual.
status=0
./built >/dev/null 2>&1 || status=$?
expect_equal "status" "$status" 139
expect_refusal "$HEDDLE" run --coverage /nosuchdirectory/x.info program.c
