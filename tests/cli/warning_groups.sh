# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The terminal shows a data race once for each variable, and at most ten warnings; the JSON has all of them.
. "$ROOT/tests/helpers.bash"

cat >races.c <<'END'
#include <pthread.h>

static int x, a[12];

static void *body(void *unused) {
  x = 1;
  x = 2;
  for (int i = 0; i < 2; i++) a[i] = i;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  x = 3;
  x = 4;
  a[0] = a[1] = 5;
  pthread_join(thread, NULL);
  return 0;
}
END
expect_status 0 "$HEDDLE" run --json report.json races.c
expect_equal "pairs of places" "$(field report.json 'len([w for w in report["warnings"] if w["kind"] == "data-race"])')" 6
expect_equal "warnings on the terminal" "$(grep -c '^warning: data race' stdout)" 3
expect_equal "those on x" "$(grep -c 'data race on x$' stdout)" 1
expect_text stdout "and 3 more pairs of places"

{
  echo '#include <pthread.h>'
  for i in $(seq 14); do echo "static int v$i;"; done
  echo 'static void *body(void *unused) {'
  for i in $(seq 14); do echo "v$i = 1;"; done
  echo 'return NULL; }'
  echo 'int main(void) { pthread_t t; pthread_create(&t, NULL, body, NULL);'
  for i in $(seq 14); do echo "v$i = 2;"; done
  echo 'pthread_join(t, NULL); return 0; }'
} >many.c
expect_status 3 "$HEDDLE" run --strategy random --max-runs 200 many.c
expect_equal "at most ten" "$(grep -c '^warning: data race' stdout)" 10
expect_text stdout "and 4 more warnings (--json has all)"
