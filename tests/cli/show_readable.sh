# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# heddle show for people: names of the source, start routines, source text, folded stretches, marks, held locks, the end of
# every thread, lines that fit, colours only on a terminal.
. "$ROOT/tests/helpers.bash"

fits() { ! awk -v width="$1" 'length($0) > width' table | grep -q . || fail "lines longer than $1"; }
table() { # OPTIONS...: the table without the failure below it
  expect_status 0 "$HEDDLE" show "$@"
  sed '/^$/,$d' stdout >table
}

expect_status 1 "$HEDDLE" run -o bank "$(example bank)"
table bank/bug-1
grep -q '^step  line  main  *t1 save  *t2 spend  *source' table || fail "no head with the start routines"
expect_text table "lock checking.mutex"
expect_text table "(holds savings.mutex)"
expect_text table "WAITS: lock savings.mutex"
expect_text table "WAITS: join thread t1"
expect_text table "pthread_mutex_lock(&"
[ "$(grep -c '^ *[0-9]* \*' table)" = 5 ] || fail "not the two acquisitions and the three waits are marked"
fits 120

# The lost update: read, the other's write, and what came of it.
expect_status 1 "$HEDDLE" run -o counter "$(example counter)"
table counter/bug-1
[ "$(grep -c '^ *[0-9]* \*' table)" -ge 3 ] || fail "the conflict is not marked"

# 500 rounds in one stretch are folded, except on request; the value is never what is cut off.
cat >long.c <<'EOF'
#include <assert.h>
#include <pthread.h>
static long a_variable_with_a_rather_long_name_indeed, stop;
static void *work(void *unused) {
  for (int i = 0; i < 500; i++) a_variable_with_a_rather_long_name_indeed++;
  assert(!stop);
  return unused;
}
static void *stopper(void *unused) {
  a_variable_with_a_rather_long_name_indeed++;
  stop = 1;
  return unused;
}
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, work, 0);
  pthread_create(&threads[1], 0, stopper, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
EOF
expect_status 1 "$HEDDLE" run --strategy random -o long long.c
table long/bug-1
[ "$(wc -l <table)" -lt 40 ] || fail "not folded: $(wc -l <table) lines"
grep -Eq '\.\.\. [0-9]{3,} operations' table || fail "no count of what is left out"
grep -Eq '\* .*read stop = 1' table || fail "the last conflicting read is not marked"
grep -Eq '\* .*write stop = 1' table || fail "the last conflicting write is not marked"
fits 120
table --full long/bug-1
expect_no_text table " operations"
[ "$(wc -l <table)" -gt 1000 ] || fail "--full is not full"

# More threads than columns: a column says who it is.
cat >many.c <<'EOF'
#include <assert.h>
#include <pthread.h>
static int sum;
static void *work(void *unused) {
  sum++;
  return unused;
}
int main(void) {
  pthread_t threads[12];
  for (int i = 0; i < 12; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 12; i++) pthread_join(threads[i], 0);
  assert(sum == 12);
}
EOF
expect_status 1 "$HEDDLE" run --strategy random -o many many.c
table many/bug-1
grep -q '^step  line  thread .*operation' table || fail "no list"
expect_text table "t12 work"
fits 120

# Changed sources are said to be; missing ones do no harm.
touch -d '+1 hour' long.c
expect_status 0 "$HEDDLE" show long/bug-1
expect_text stdout "sources have changed"
rm long.c
expect_status 0 "$HEDDLE" show long/bug-1
expect_no_text stdout "for (int i"

# Colours on a terminal of its width, unless NO_COLOR says no.
escape=$(printf '\033')
expect_no_text table "$escape"
script -qec "stty cols 100; $HEDDLE show bank/bug-1" /dev/null >stdout </dev/null
expect_text stdout "${escape}["
script -qec "stty cols 100; NO_COLOR=1 $HEDDLE show bank/bug-1" /dev/null >stdout </dev/null
expect_no_text stdout "${escape}["
tr -d '\r' <stdout | sed '/^$/,$d' >table
fits 100
