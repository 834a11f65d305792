# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# --find: what is looked for ends the search and counts, other findings are noted; nothing noted hides what is sought.
. "$ROOT/tests/helpers.bash"

cat >both.c <<'END'
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *other(void *unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  x = 1;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  assert(x == 0);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(thread, NULL);
  return 0;
}
END

kinds() {
  field "$1" 'sorted((b["kind"], b.get("noted", False)) for b in report["bugs"])'
}

for strategy in optimal exhaustive dpor-2 unfolding contextual reachability; do
  expect_status 1 "$HEDDLE" run --strategy $strategy --find deadlock --json found.json both.c
  expect_equal "$strategy: verdict" "$(field found.json 'report["verdict"]')" bug
  case $(kinds found.json) in
  *"('deadlock', False)"*) ;;
  *) fail "$strategy does not find the deadlock: $(kinds found.json)" ;;
  esac
  expect_status 1 "$HEDDLE" run --strategy $strategy --find assertion,exit --json found.json both.c
  case $(kinds found.json) in
  *"('assertion', False)"*) ;;
  *) fail "$strategy does not find the assertion: $(kinds found.json)" ;;
  esac
  expect_status 0 "$HEDDLE" run --strategy $strategy --find race,memory --json found.json both.c
  expect_equal "$strategy: only noted" "$(kinds found.json)" "[('assertion', True), ('deadlock', True)]"
done
expect_text stdout "no bug of the kinds that --find names"
expect_text stdout "2 other findings, of kinds that --find leaves out"

# What follows a wrong use of a lock was not explored: that is no proof.
cat >misuse.c <<'END'
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_unlock(&a);
  return 0;
}
END
expect_status 3 "$HEDDLE" run --find deadlock misuse.c
expect_text stdout "did not see everything"

# An exit status does not hide the data race that was asked for, and is a finding nevertheless.
cat >status.c <<'END'
#include <pthread.h>

static int x;

static void *other(void *unused) {
  x = 1;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  int status = 3;
  for (int i = 0; i < 3; i++) status += i;
  if (status == 6) return 4;
  pthread_join(thread, NULL);
  return x;
}
END
expect_status 1 "$HEDDLE" run --races=error --json found.json status.c
expect_equal "exit status with races" "$(kinds found.json)" "[('exit', False)]"
sed -i 's/if (status == 6) return 4;/if (x == 6) return 4;/; s/return x;/return 5;/' status.c
expect_status 1 "$HEDDLE" run --races=error --json found.json status.c
case $(kinds found.json) in
*"('data-race', False)"*) ;;
*) fail "the exit status hides the race: $(kinds found.json)" ;;
esac

for wrong in '--find nonsense' '--find assertion,' '--find=' '--find deadlock --races=error' '--find race --races=warn'; do
  # shellcheck disable=SC2086 # options are words
  expect_status 2 "$HEDDLE" run $wrong both.c
done
