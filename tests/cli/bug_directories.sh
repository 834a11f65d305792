# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Bugs are kept per program, whole or not at all, also when many heddles work in one directory at the same time.
. "$ROOT/tests/helpers.bash"
cp "$(example bank)" "$(example queue)" .
"$HEDDLE" cc -o both-bank bank.c
"$HEDDLE" cc -o both-queue queue.c
for i in 1 2 3 4; do
  for program in bank queue; do
    { "$HEDDLE" run --json $program.$i.json ./both-$program >/dev/null 2>$program.$i.errors || echo $? >$program.$i.status; } &
  done
done
wait
for program in bank queue; do
  [ "$(find heddle-out/both-$program -mindepth 1 -maxdepth 1 -name '.*' | wc -l)" = 0 ] || fail "something unfinished is left"
  # shellcheck disable=SC2012
  for i in 1 2 3 4; do
    expect_equal "status of $program $i" "$(cat $program.$i.status)" 1
    directory=$(field $program.$i.json "report['bugs'][0]['directory']")
    # A heddle that began when no other was at work may have removed those of others that had ended.
    [ ! -d "$directory" ] || expect_status 1 "$HEDDLE" replay "$directory"
  done
  [ -d heddle-out/both-$program/bug-1 ] || fail "no bug of $program is left"
done

# One that is still at work is not disturbed by others.
exec 9<heddle-out/both-bank
flock -s 9
expect_status 1 "$HEDDLE" run --json more.json ./both-bank
directory=$(field more.json "report['bugs'][0]['directory']")
[ "$directory" != heddle-out/both-bank/bug-1 ] || fail "took the place of another one"
expect_status 1 "$HEDDLE" replay heddle-out/both-bank/bug-1
expect_status 1 "$HEDDLE" replay "$directory"
exec 9<&-
mkdir heddle-out/both-bank/.bug-7 heddle-out/both-bank/bug-9 # what a heddle leaves that is killed while it writes
touch heddle-out/both-bank/bug-mine
expect_status 1 "$HEDDLE" run ./both-bank
expect_equal "alone again" "$(ls -A heddle-out/both-bank | tr '\n' ' ')" "bug-1 bug-mine "

# Words of a shell.
mkdir "a place with 'quotes'"
(cd "a place with 'quotes'" && cp ../bank.c . && expect_status 1 "$HEDDLE" run -o "my bugs" bank.c) || exit 1
expect_text "a place with 'quotes'/stdout" "heddle show 'my bugs/bug-1'"

# A directory that cannot be written matters only if there is a bug.
if [ "$(id -u)" = 0 ]; then as_user="setpriv --reuid 65534 --regid 65534 --clear-groups"; else as_user=; fi
mkdir read-only
cp bank.c "$(program count_3)" read-only
chmod 755 read-only
chmod 755 .
"$HEDDLE" cc -o read-only/good read-only/count_3.c
"$HEDDLE" cc -o read-only/bad bank.c
chmod 555 read-only
[ -n "$as_user" ] || exit 0
(cd read-only && $as_user "$HEDDLE" run ./good >../stdout 2>../stderr) || fail "without a bug"
status=0
(cd read-only && $as_user "$HEDDLE" run ./bad >../stdout 2>../stderr) || status=$?
expect_equal "status with a bug that cannot be kept" "$status" 2
expect_text stdout "bug 1: deadlock"
expect_no_text stdout "heddle replay"
expect_text stderr "heddle: the bug is not kept: cannot make directory heddle-out/bad: Permission denied: name another one with -o DIR"
