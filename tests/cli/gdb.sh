# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# heddle replay --gdb stops at the failure, in the thread that failed, with the source line; the program's threads are gdb's.
. "$ROOT/tests/helpers.bash"
command -v gdb >/dev/null || {
  echo "gdb is not installed: not tested"
  exit 0
}
# A deadlock: every thread stands at its own place.
expect_status 1 "$HEDDLE" run -o bank "$(example bank)"
expect_status 0 "$HEDDLE" replay --gdb bank/bug-1 -- -batch -ex 'info threads' -ex 'thread apply all bt'
expect_text stdout '"main"'
expect_text stdout '"t1 save"'
expect_text stdout '"t2 spend"'
expect_text stdout "OUTCOME_DEADLOCK"
[ "$(grep -c 'in transfer (from=' stdout)" -ge 3 ] || fail "not both transfers in the backtraces"
expect_text stdout "spend (unused="
expect_text stdout "save (unused="
expect_text stdout "pthread_mutex_lock(&to->mutex);"
expect_no_text stdout "schedule_operation"
# An assertion; variables can be looked at.
expect_status 1 "$HEDDLE" run -o queue "$(example queue)"
expect_status 0 "$HEDDLE" replay --gdb queue/bug-1 -- -batch -ex 'print items' -ex 'info threads' -ex continue
expect_text stdout "assert(items > 0);"
expect_text stdout "\$1 = 0"
expect_text stdout "exited normally"
grep -q '^\* .*"t[12] consume"' stdout || fail "the failing thread is not the current one"
# A crash stops at the instruction itself.
cat >crash.c <<'EOF'
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *reset(void *unused) {
  shared = NULL;
  return unused;
}
static void *use(void *unused) {
  if (shared)
    *shared = 3;
  return unused;
}
int main(void) {
  pthread_t a, b;
  shared = malloc(sizeof *shared);
  pthread_create(&a, 0, reset, 0);
  pthread_create(&b, 0, use, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
EOF
expect_status 1 "$HEDDLE" run -o crash crash.c
expect_status 0 "$HEDDLE" replay --gdb crash/bug-1 -- -batch -ex 'info threads'
expect_text stdout "SIGSEGV"
expect_text stdout "*shared = 3;"
grep -q '^\* .*"t2 use"' stdout || fail "the crashing thread is not the current one"
# At an operation before the failure.
expect_status 0 "$HEDDLE" replay --gdb --trace-from 2 crash/bug-1 -- -batch -ex 'print shared'
expect_text stdout "shared = NULL;"
expect_no_text stdout "SIGSEGV"
# Without gdb: the run from there on.
expect_status 1 "$HEDDLE" replay --trace-from 3 crash/bug-1
expect_text stdout "read shared = 0"
expect_no_text stdout "write shared"
expect_refusal "$HEDDLE" replay --trace-from none crash/bug-1
# Nothing is left, and a missing gdb is said.
mkdir temporary empty
TMPDIR=$PWD/temporary expect_status 0 "$HEDDLE" replay --gdb crash/bug-1 -- -batch
[ -z "$(ls temporary)" ] || fail "left: $(ls temporary)"
expect_status 2 env PATH="$PWD/empty" "$HEDDLE" replay --gdb crash/bug-1
expect_text stderr "cannot run gdb"
