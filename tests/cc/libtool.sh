# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A program that libtool built with heddle-cc is a script; the program behind it is explored. Other scripts are refused.
. "$ROOT/tests/helpers.bash"
PATH=$(dirname "$HEDDLE"):$PATH
cp "$(example bank)" test.c
echo 'int twice(int x) { return 2 * x; }' >twice.c
# As ./configure CC=heddle-cc would make it.
sed 's/^\(LT\)\?CC=".*"/\1CC="heddle-cc"/' /usr/bin/libtool >libtool
chmod +x libtool
./libtool --tag=CC --mode=compile heddle-cc -c twice.c >stdout 2>stderr
./libtool --tag=CC --mode=link heddle-cc -o libtwice.la twice.lo -rpath /usr/lib >stdout 2>stderr
./libtool --tag=CC --mode=compile heddle-cc -c test.c >stdout 2>stderr
./libtool --tag=CC --mode=link heddle-cc -o test test.lo libtwice.la >stdout 2>stderr
grep -q '^#!' test || fail "libtool made no script"
expect_status 1 heddle run ./test
expect_text stdout "heddle replay heddle-out/test/bug-1"
expect_status 1 heddle replay heddle-out/test/bug-1

rm -r .libs
expect_refusal heddle run ./test
expect_text stderr "./test is a script: give the program that it starts"
