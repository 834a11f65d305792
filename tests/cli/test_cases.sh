# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# --tests and --ktest: metadata, test cases that replay, the same bytes every time; a bug's directory has its inputs.
. "$ROOT/tests/helpers.bash"
cat >one.c <<'C'
#include <heddle.h>
int main(void) {
  char bytes[2];
  heddle_input_bytes("bytes", bytes, 2);
  return heddle_input_int("x") & 0;
}
C
mkdir cases
touch cases/testcase-000077.xml cases/testcase-000077.ktest cases/mine.xml
expect_status 0 env SOURCE_DATE_EPOCH=86400 "$HEDDLE" run --tests cases --ktest --json report.json one.c
expect_text stdout "3 inputs, 1 path"
expect_text stdout "1 test case in cases"
expect_equal "tests" "$(field report.json 'report["tests"], report["paths"], report["inputs"]')" "(1, 1, 3)"
expect_equal "files" "$(cd cases && echo *)" "metadata.xml mine.xml testcase-000001.ktest testcase-000001.xml"
expect_text cases/metadata.xml "<programhash>$(sha256sum <one.c | cut -d ' ' -f 1)</programhash>"
expect_text cases/metadata.xml "<creationtime>1970-01-02T00:00:00Z</creationtime>"
python3 - <<'PYTHON' || fail "the test case"
import xml.etree.ElementTree, struct
root = xml.etree.ElementTree.parse("cases/testcase-000001.xml").getroot()
inputs = [(i.attrib["type"], i.attrib["variable"], i.text) for i in root]
assert inputs == [("unsigned char", "bytes[0]", "0"), ("unsigned char", "bytes[1]", "0"), ("int", "x", "0")], inputs
data = open("cases/testcase-000001.ktest", "rb").read()
def block(b): return struct.pack(">I", len(b)) + b
wanted = b"KTEST" + struct.pack(">II", 3, 1) + block(b"one") + struct.pack(">III", 0, 0, 2)
assert data == wanted + block(b"bytes") + block(bytes(2)) + block(b"x") + block(bytes(4)), data
PYTHON
for file in cases/testcase-000001.xml cases/testcase-000001.ktest; do
  expect_status 0 "$HEDDLE" replay --inputs "$file" one.c
  expect_no_text stdout note
done
cp -r cases before
expect_status 0 env SOURCE_DATE_EPOCH=86400 "$HEDDLE" run --tests cases --ktest one.c
diff -r before cases || fail "not the same bytes"

cat >bug.c <<'C'
#include <assert.h>
#include <heddle.h>
int main(void) {
  short x = heddle_input_short("x");
  assert(x != 0);
}
C
expect_status 1 "$HEDDLE" run --json report.json bug.c
expect_text stdout "    with short x = 0"
expect_equal inputs "$(field report.json 'report["bugs"][0]["inputs"]')" \
  "[{'name': 'x', 'thread': 'main', 'type': 'short', 'value': 0}]"
expect_status 0 "$HEDDLE" show heddle-out/bug/bug-1
head -n 1 stdout >first
expect_text first "inputs: short x = 0"
expect_status 1 "$HEDDLE" replay heddle-out/bug/bug-1
for file in inputs.json testcase.xml finding.json; do
  expect_status 1 "$HEDDLE" replay --inputs heddle-out/bug/bug-1/$file bug.c
done
sed -i 's/"value": 0/"value": 5/' heddle-out/bug/bug-1/inputs.json
expect_status 3 "$HEDDLE" replay heddle-out/bug/bug-1
expect_text stdout "did not fail as before"
echo '{"inputs": [' >heddle-out/bug/bug-1/inputs.json
expect_refusal "$HEDDLE" replay heddle-out/bug/bug-1
rm heddle-out/bug/bug-1/inputs.json
expect_refusal "$HEDDLE" replay heddle-out/bug/bug-1
