# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Bugs planted in runs of some 10 000 operations: the schedule that is shown has at most five context switches more than the
# bug needs, replays, and is the same every time.
. "$ROOT/tests/helpers.bash"

# check FILE NEEDED: what `random` finds in it, with how many switches
check() {
  expect_status 1 "$HEDDLE" run --strategy random -o out --json first.json "$1"
  sed -n 's/.* \([0-9]*\) context switch.*/\1/p' stdout >switches
  sed -n 's/.*(\([0-9]*\) before minimisation.*/\1/p' stdout >before
  [ -s before ] || fail "$1: nothing was minimised"
  [ "$(cat before)" -gt 100 ] || fail "$1: the run that was found has only $(cat before) switches: the test shows nothing"
  [ "$(cat switches)" -le $(($2 + 5)) ] || fail "$1: $(cat switches) switches, but $2 are enough"
  [ "$(cat switches)" -ge "$2" ] || fail "$1: $(cat switches) switches cannot show the bug"
  expect_text out/bug-1/schedule "switches $(cat switches) of $(cat before)"
  expect_status 1 "$HEDDLE" replay out/bug-1
  cp out/bug-1/schedule schedule
  expect_status 1 "$HEDDLE" run --strategy random -o out "$1"
  cmp -s schedule out/bug-1/schedule || fail "$1: another schedule the second time"
}

# A lost update in 2 * 5000: one thread is interrupted between its read and its write, later main reads.
cat >update.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#define ROUNDS 5000
static long counter;
static void *work(void *unused) {
  for (int i = 0; i < ROUNDS; i++) counter++;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2 * ROUNDS);
}
EOF
check update.c 2

# Test and use apart, once, among much that is right.
cat >balance.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#define ROUNDS 700
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long total, balance = 1;
static void *work(void *unused) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&mutex);
    total += i;
    pthread_mutex_unlock(&mutex);
    if (i == ROUNDS / 2 && balance > 0) {
      balance--;
      assert(balance >= 0);
    }
  }
  return unused;
}
int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
}
EOF
check balance.c 2

# Locks in the wrong order, every 150th time.
cat >locks.c <<'EOF'
#include <pthread.h>
#define ROUNDS 600
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static long x, y;
static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  x++, y++;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}
static void *forth(void *unused) {
  for (int i = 0; i < ROUNDS; i++) both(&a, &b);
  return unused;
}
static void *back(void *unused) {
  for (int i = 0; i < ROUNDS; i++) i % 150 == 149 ? both(&b, &a) : both(&a, &b);
  return unused;
}
int main(void) {
  pthread_t threads[3];
  void *(*const starts[])(void *) = {forth, back, forth};
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, starts[i], 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
EOF
check locks.c 1

# As it was found, on request.
expect_status 1 "$HEDDLE" run --strategy random --minimise 0 -o out balance.c
expect_no_text stdout "before minimisation"
