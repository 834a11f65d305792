# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Thread-local variables of several objects, some of them in an archive that gcc compiled: every thread has its own of all
# of them, initialised and aligned.
. "$ROOT/tests/helpers.bash"

cat >counter.c <<'C'
#include <errno.h>
#include <stdint.h>
__thread int counter = 7;
__thread _Alignas(256) char line[256] = "line";
static __thread int hidden;
int count(void) {
  errno = counter;
  return ++hidden + counter++ - 7;
}
int is_aligned(void) { return (uintptr_t)line % 256 == 0 && line[0] == 'l'; }
C
cat >other.c <<'C'
__thread long other = 11;
long *other_of_thread(void) { return &other; }
C
cat >main.c <<'C'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
extern __thread int counter;
extern __thread long other;
int count(void), is_aligned(void);
long *other_of_thread(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *body(void *unused) {
  assert(counter == 7 && other == 11 && is_aligned());
  assert(count() == 1);
  pthread_mutex_lock(&mutex);
  other++;
  pthread_mutex_unlock(&mutex);
  assert(errno == 7 && count() == 3 && errno == 8 && counter == 9 && *other_of_thread() == 12);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, body, 0);
  pthread_create(&b, 0, body, 0);
  body(0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
C
gcc -O2 -c counter.c
ar rcs libcounter.a counter.o
expect_status 0 "$HEDDLE" cc -c other.c
expect_status 0 "$HEDDLE" cc -c main.c
expect_status 0 "$HEDDLE" cc -o program main.o other.o -L. -lcounter
# All assertions hold; what the archive does is not seen, so that this is not a proof.
expect_status 3 "$HEDDLE" run --json out.json ./program
expect_equal "bugs" "$(field out.json 'len(report["bugs"])')" 0
expect_equal "what was not followed" "$(field out.json '{w["kind"] for w in report["warnings"]}')" "{'not-followed'}"
