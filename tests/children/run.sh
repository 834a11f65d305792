#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Programs whose threads start processes and wait for them: strategies agree, in both isolations and with checkpoints; hundreds of
# runs leave no processes or descriptors behind, within heddle's process and after it; files stay as they were.
. "$ROOT/tests/helpers.bash"

explore() { # OPTIONS...: the number of runs and the observations
  "$HEDDLE" run --json out.json -o out --keep-going "$@" >stdout 2>stderr </dev/null || [ $? = 3 ] || fail "$*"
  field out.json '(report["runs"] - report["blocked_runs"], sorted(o["outcome"] for o in report["observations"]))'
}

for name in child_nohang child_nohang_threads child_any_threads child_fork_threads child_fed child_sigchld; do
  expected=$(explore --strategy exhaustive "$(program $name)")
  for isolation in reset fork; do
    expect_equal "$name, optimal, $isolation" \
      "$(explore --strategy optimal --isolation $isolation "$(program $name)")" "$expected"
  done
  expect_equal "$name with checkpoints" "$(HEDDLE_CHECKPOINTS=always explore --strategy exhaustive "$(program $name)")" "$expected"
done

cat >left.c <<'C'
#include <assert.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_int value;
static void *worker(void *unused) {
  for (int i = 0; i < 4; i++) value++;
  return unused;
}
int main(void) {
  char text[64];
  const int children = open("/proc/thread-self/children", O_RDONLY); // what earlier runs have left
  assert(children == 3 && read(children, text, sizeof text) == 0);
  int ends[2];
  assert(pipe(ends) == 0);
  if (fork() == 0) {
    setsid();
    if (fork() == 0)
      for (;;) pause();
    for (;;) sleep(1000);
  }
  assert(popen("exec -a heddle-left sleep 1000 2> /dev/null || sleep 1000", "r"));
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
C
"$HEDDLE" cc -o left-behind-by-heddle left.c
for isolation in reset fork; do
  expect_status 3 "$HEDDLE" run --isolation $isolation --strategy random --max-runs 150 --json out.json ./left-behind-by-heddle
  expect_equal "bugs with --isolation $isolation" "$(field out.json 'len(report["bugs"])')" 0
  ! pgrep -f left-behind-by-heddle >/dev/null || fail "processes are left with --isolation $isolation"
done

echo words >kept
cat >file.c <<'C'
#include <stdlib.h>
int main(void) {
  return system("rm kept; mkdir made; mv other another; ln -s a b; chmod 0 .") != 0;
}
C
before=$(ls)
expect_status 3 "$HEDDLE" run --strategy exhaustive file.c
expect_equal "what is in the directory" "$(ls)" "$before"
expect_status 0 "$HEDDLE" run --files real --strategy exhaustive --exit-status any file.c
expect_equal "what is in the directory with real files" "$(ls -d kept made 2>/dev/null | tr '\n' ' ')" "made "
