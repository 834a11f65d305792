# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Failing exit statuses: every strategy finds them, they are minimised, replayed and shown, and --exit-status accepts them.
. "$ROOT/tests/helpers.bash"

cat >lost.c <<'END'
#include <pthread.h>

static int counter;

static void *increment(void *unused) {
  const int before = counter;
  counter = before + 1;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, increment, NULL);
  pthread_create(&t, NULL, increment, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return counter != 2;
}
END

for strategy in optimal exhaustive dpor dpor-cr dpor-cr-sleep dpor-1 dpor-2 race-flip unfolding contextual con2colic \
  reachability random pct; do
  expect_status 1 "$HEDDLE" run --strategy "$strategy" --json found.json lost.c
  expect_equal "$strategy: the finding" \
    "$(field found.json '[(b["kind"], b["message"], b["line"]) for b in report["bugs"]]')" \
    "[('exit', 'exit status 1: returned by main', 17)]"
done

# A thread that ends the process while others are running: they continue, and each strategy sees the one finding.
cat >thread.c <<'END'
#include <pthread.h>
#include <stdlib.h>

static _Atomic int first;

static void *leave(void *unused) {
  if (first == 1) exit(2);
  first = 2;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, leave, NULL);
  int nobody = 0;
  __c11_atomic_compare_exchange_strong(&first, &nobody, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return 0;
}
END
for strategy in optimal exhaustive dpor dpor-cr dpor-cr-sleep dpor-1 dpor-2 race-flip unfolding contextual; do
  expect_status 1 "$HEDDLE" run --strategy "$strategy" --keep-going --json found.json thread.c
  expect_equal "$strategy: the finding" \
    "$(field found.json '[(b["kind"], b["status"], b["message"], b["line"], report["complete"]) for b in report["bugs"]]')" \
    "[('exit', 2, 'exit status 2: exit called', 7, True)]"
done

expect_status 1 "$HEDDLE" run -o bugs lost.c
expect_text stdout 'bug 1: exit status 1: returned by main'
expect_text stdout 'at lost.c:17 in main, thread main'
expect_status 1 "$HEDDLE" replay bugs/bug-1
expect_text stdout 'exit status 1: returned by main'
expect_status 0 "$HEDDLE" show bugs/bug-1
expect_text stdout '*  17  exit status 1'

for options in '--exit-status any' '--exit-status=any' --svcomp; do
  # shellcheck disable=SC2086
  expect_status 0 "$HEDDLE" run $options lost.c
done
expect_status 1 "$HEDDLE" run --svcomp --exit-status zero lost.c
expect_refusal "$HEDDLE" run --exit-status 3 lost.c
expect_text stderr exit-status

# What a finding was made with is kept: an accepted status is none when another finding is replayed.
cat >both.c <<'END'
#include <assert.h>
#include <pthread.h>

static _Atomic int x;

static void *set(void *unused) {
  x = 1;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, set, NULL);
  assert(x == 0);
  pthread_join(t, NULL);
  return 1;
}
END
expect_status 1 "$HEDDLE" run --exit-status any -o any both.c
expect_text stdout 'bug 1: assertion failed'
expect_status 1 "$HEDDLE" replay any/bug-1
expect_text stdout 'assertion failed'
