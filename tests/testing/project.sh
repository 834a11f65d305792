# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# heddle test on a project of twenty tests: a table, a planted regression, a baseline, what changed, what does not compile.
. "$ROOT/tests/helpers.bash"
mkdir -p project/src project/tests
cd project || exit 1
cat >src/counter.h <<'END'
void counter_add(int n);
int counter_value(void);
END
cat >src/counter.c <<'END'
#include "counter.h"
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;
void counter_add(int n) {
  pthread_mutex_lock(&mutex);
  value += n;
  pthread_mutex_unlock(&mutex);
}
int counter_value(void) {
  pthread_mutex_lock(&mutex);
  const int result = value;
  pthread_mutex_unlock(&mutex);
  return result;
}
END
for file in 1 2 3; do # fifteen tests of heddle-test.h
  {
    printf '#include "../src/counter.h"\n#include <heddle-test.h>\nstatic int ready;\n'
    printf 'static void *add(void *p) { counter_add(*(int *)p); return p; }\nstatic int one = 1, two = 2;\n'
    for i in 1 2 3 4; do
      printf 'HEDDLE_TEST(adds_%d) { for (int i = 0; i < %d; i++) heddle_spawn(add, i %% 2 ? &one : &two); heddle_join_all(); assert(counter_value() == %d); }\n' \
        $i $((i % 3 + 1)) $((2 + i % 3 + (i % 3 == 2 ? 1 : 0) - (i % 3 == 0 ? 0 : 0)))
    done
    printf 'static void *set(void *p) { __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST); return p; }\n'
    printf 'HEDDLE_TEST(comes) { heddle_spawn(set, 0); heddle_assert_eventually(__atomic_load_n(&ready, __ATOMIC_SEQ_CST)); }\n'
  } >tests/test_$file.c
done
cp "$(example bank)" tests/bank_test.c # a program with a main, and a bug that is known
cp "$(example counter_fixed)" tests/fixed_test.c
cat >tests/units_test.c <<'END'
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "../src/counter.h"
#include <pthread.h>
static void *add(void *p) { counter_add(1); return p; }
static void from_zero(void **state) { (void)state; assert_int_equal(counter_value(), 0); }
static void one_thread(void **state) {
  (void)state;
  pthread_t thread;
  pthread_create(&thread, NULL, add, NULL);
  counter_add(1);
  pthread_join(thread, NULL);
  assert_int_equal(counter_value(), 2);
}
static void sees_it(void **state) {
  (void)state;
  pthread_t thread;
  pthread_create(&thread, NULL, add, NULL);
  assert_int_equal(counter_value(), 0); /* only if the thread is late */
  pthread_join(thread, NULL);
}
int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(from_zero), cmocka_unit_test(one_thread), cmocka_unit_test(sees_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
END
heddle_test() { "$HEDDLE" test --with src/counter.c --with -lcmocka "$@"; }

test_status() { # STATUS ARGUMENTS...
  local wanted=$1 status=0
  shift
  heddle_test "$@" >../stdout 2>../stderr </dev/null || status=$?
  cp ../stdout ../stderr .
  [ "$status" = "$wanted" ] || fail "status $status instead of $wanted: heddle test $*"
}

test_status 0 --list tests
expect_equal "tests" "$(wc -l <stdout)" 20
expect_text stdout "tests/units_test.c: sees_it"
expect_text stdout "tests/test_2.c: adds_3"

test_status 1 tests
expect_equal "rows" "$(grep -cE '^tests/.* (clean|BUG) ' stdout)" 20
expect_text stdout "20 tests, 18 clean, 2 BUG"
grep -qE '^tests/bank_test.c +BUG .*deadlock' stdout || fail "the deadlock"
grep -qE '^tests/units_test.c: sees_it +BUG .*exit status 1' stdout || fail "the unit test"
grep -qE '^tests/units_test.c: one_thread +clean ' stdout || fail "a unit test by itself"
# A bug that needs a variable of the environment is repeated with it.
expect_status 1 "$HEDDLE" replay heddle-out/units_test/sees_it/bug-1
expect_text stdout "[  FAILED  ] sees_it"
expect_no_text stdout "one_thread"
expect_status 0 "$HEDDLE" show heddle-out/units_test/sees_it/bug-1

# What is known does not count; what is new does.
test_status 1 --write-baseline known tests
test_status 0 --baseline known --junit result.xml tests
expect_text stdout "20 tests, 18 clean, 2 known"
xmllint --noout result.xml || fail "not XML"
expect_equal "cases" "$(grep -c '<testcase ' result.xml)" 20
sed -i 's/  pthread_mutex_lock(&mutex);\n  value += n;/  value += n;/; s/^  value += n;/  const int old = value; pthread_mutex_unlock(\&mutex); pthread_mutex_lock(\&mutex); value = old + n;/' src/counter.c
test_status 1 --baseline known tests
expect_text stdout "known"
grep -qE '^tests/test_1.c: adds_1 +BUG .*assertion failed' stdout || fail "the regression was not found"
grep -qE '^tests/bank_test.c +known ' stdout || fail "the known one"

# Only what a commit can affect.
git init -q . && git add . && git -c user.name=t -c user.email=t@t commit -qm all
test_status 0 --changed-since HEAD tests
expect_text stdout "no test is affected"
echo '/* more */' >>tests/test_2.c
test_status 0 --list --changed-since HEAD tests
expect_equal "affected by itself" "$(cut -d: -f1 stdout | sort -u)" "tests/test_2.c"
git checkout -q tests/test_2.c
echo '/* more */' >>src/counter.h
test_status 0 --list --changed-since HEAD tests
expect_equal "affected by a header" "$(cut -d: -f1 stdout | sort -u | tr '\n' ' ')" \
  "tests/bank_test.c tests/fixed_test.c tests/test_1.c tests/test_2.c tests/test_3.c tests/units_test.c "
git checkout -q src

# One that does not compile, and a specification that waits: named, and the others are explored.
mkdir more
echo 'int main(void) { return x; }' >more/test_broken.c
cat >more/test_waits.c <<'END'
#include <heddle-test.h>
static struct heddle_history history = HEDDLE_HISTORY(1);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long apply(void *state, int operation, long argument) {
  (void)state, (void)operation;
  pthread_mutex_lock(&mutex);
  return argument;
}
HEDDLE_SPEC(specification, long, apply, "echo")
HEDDLE_TEST(waits) {
  pthread_mutex_lock(&mutex);
  HEDDLE_CALL(&history, 0, 0, 3, 3);
  heddle_linearizable(&history, &specification);
}
HEDDLE_TEST(fine) {}
END
test_status 2 more
grep -qE '^more/test_broken.c +ERROR +does not compile' stdout || fail "what does not compile"
grep -qE '^more/test_waits.c: waits +ERROR +the specification apply waits' stdout || fail "the specification"
grep -qE '^more/test_waits.c: fine +clean' stdout || fail "the others"
grep -q "undeclared identifier 'x'" stderr || fail "the compiler's words"

# Time for all of them; bad input.
test_status 1 --total-time 0.000001 -j 1 tests/test_1.c
expect_text stdout "no time was left"
cd .. || exit 1
mkdir empty
expect_refusal "$HEDDLE" test empty
expect_refusal "$HEDDLE" test nowhere
expect_refusal "$HEDDLE" test -j 0 project
expect_refusal "$HEDDLE" test --max-time soon project
expect_refusal "$HEDDLE" test --baseline nowhere project
expect_refusal "$HEDDLE" test --junit /nowhere/file project
expect_refusal "$HEDDLE" test --changed-since
(cd empty && cp ../project/tests/test_1.c . && git init -q . && expect_refusal "$HEDDLE" test --changed-since nonsense) || exit 1
expect_equal "temporary files" "$(find . -maxdepth 1 -name 'heddle-*')" ""
