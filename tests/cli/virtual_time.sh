# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A bug in a run that slept or timed out: the report and show say once that time is virtual. A program with nothing to choose: what to
# do next.
. "$ROOT/tests/helpers.bash"
note="note: time is virtual"
cat >sleeps.c <<'END2'
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(int argc, char **argv) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  if (argc > 1) sleep(1);
  pthread_mutex_lock(&mutex);
  assert(ready);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
END2
expect_status 1 "$HEDDLE" run sleeps.c -- sleep
expect_equal "notes" "$(grep -c "$note" stdout)" 1
expect_status 0 "$HEDDLE" show heddle-out/sleeps/bug-1
expect_equal "notes of show" "$(grep -c "$note" stdout)" 1
expect_status 1 "$HEDDLE" run sleeps.c
expect_no_text stdout "$note"
expect_status 1 "$HEDDLE" run "$(example timeout)"
expect_text stdout "$note"
# The same run from a checkpoint.
HEDDLE_CHECKPOINTS=always expect_status 1 "$HEDDLE" run --strategy exhaustive sleeps.c -- sleep
expect_text stdout "$note"

echo 'int main(void) { return 0; }' >alone.c
expect_status 0 "$HEDDLE" run alone.c
expect_text stdout "try next: threads, or inputs"
expect_status 0 "$HEDDLE" run --sym-stdin 1 alone.c
expect_status 0 "$HEDDLE" run "$(example counter_fixed)"
expect_no_text stdout "try next"
