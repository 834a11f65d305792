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
expect_text stdout "1 input of the file was not used"
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
# Values reach the inputs: of several threads, and of inputs that are only asked for because of others.
cat >two.c <<'C'
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
static void *worker(void *unused) {
  long y = heddle_input_long("y");
  printf("y %ld\n", y);
  if (y == -2) printf("more %d\n", heddle_input_int("more"));
  return NULL;
}
int main(void) {
  char bytes[4];
  pthread_t thread;
  int x = heddle_input_int("x");
  heddle_input_bytes("bytes", bytes, 4);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  printf("x %d %.4s\n", x, bytes);
  assert(x != 7);
}
C
expect_values() { # FILE STATUS X BYTES MORE
  expect_status "$2" "$HEDDLE" replay --inputs "$1" two.c
  printf 'y -2\nmore %s\nx %s %s\n' "$5" "$3" "$4" >wanted
  head -n 3 stdout | cmp - wanted || fail "the inputs of $1"
  expect_text stdout "with int x = $3"
  expect_text stdout "unsigned char bytes[4] = \"$4\""
  expect_text stdout "long y = -2 (t1)"
  expect_no_text stdout note
}
cat >in.json <<'JSON'
{"inputs": [{"thread": "t1", "value": -2}, {"thread": "t1", "value": 9}, {"value": 7}, {"bytes": "61623132"}]}
JSON
expect_values in.json 1 7 ab12 9
cat >in.xml <<'XML'
<?xml version="1.0"?>
<testcase><input>3</input><input>97</input><input>'b'</input><input>99u</input><input>0x64</input>
<input variable="y" type="long">-2</input><!-- asked for because of the one before --><input>11</input></testcase>
XML
expect_values in.xml 0 3 abcd 11
python3 - <<'PYTHON'
import struct
def block(data): return struct.pack(">I", len(data)) + data
objects = [(b"bytes", b"wxyz"), (b"x", struct.pack("<i", 7)), (b"y", struct.pack("<q", -2)), (b"more", struct.pack("<i", 4)),
           (b"model_version", struct.pack("<i", 1))]
with open("in.ktest", "wb") as file:
    file.write(b"KTEST" + struct.pack(">I", 3) + struct.pack(">I", 1) + block(b"two") + struct.pack(">III", 0, 0, len(objects)))
    for name, data in objects: file.write(block(name) + block(data))
PYTHON
expect_values in.ktest 1 7 wxyz 4
echo '<testcase><input>5</input></testcase>' >one.xml
expect_status 0 "$HEDDLE" replay --inputs one.xml two.c
expect_text stdout "note: the file lacks 2 inputs that the program asks for; heddle uses 0"
echo '<testcase><input>5000000000</input></testcase>' >wide.xml
expect_refusal "$HEDDLE" replay --inputs wide.xml two.c
expect_text stderr "'5000000000' is not a value of int x"
# Arguments of main are inputs like others.
cat >argument.c <<'C'
#include <assert.h>
#include <string.h>
int main(int argc, char **argv) {
  assert(argc == 2 && strcmp(argv[1], "ab") == 0);
}
C
echo '{"inputs": [{"bytes": "616200"}]}' >argument.json
expect_status 0 "$HEDDLE" replay --inputs argument.json --sym-args 1 3 argument.c
echo '{"inputs": [{"bytes": "616300"}]}' >argument.json
expect_status 1 "$HEDDLE" replay --inputs argument.json --sym-args=1,3 argument.c
