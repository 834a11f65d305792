# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# --keep-going reports every distinct bug, each with a directory that replays.
. "$ROOT/tests/helpers.bash"
cat >several.c <<'C'
#include <assert.h>
#include <pthread.h>

int x;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *left(void *unused) {
  x = 1;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}

static void *right(void *unused) {
  assert(x == 0);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  assert(x == 1);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, left, NULL);
  pthread_create(&t, NULL, right, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
C
expect_status 1 "$HEDDLE" run --keep-going --json out.json -o out several.c
expect_equal kinds "$(field out.json 'sorted((bug["kind"], bug["line"]) for bug in report["bugs"] if bug["kind"] == "assertion")')" \
  "[('assertion', 17), ('assertion', 20)]"
expect_equal deadlocks "$(field out.json 'sum(bug["kind"] == "deadlock" for bug in report["bugs"])')" 1
expect_equal complete "$(field out.json 'report["complete"]')" True
field out.json '"\n".join(bug["directory"] for bug in report["bugs"])' >directories
while read -r bug; do expect_status 1 "$HEDDLE" replay "$bug"; done <directories
