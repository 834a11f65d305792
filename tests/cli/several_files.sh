# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Several files, -D, -I, -l, objects and archives as for cc.
. "$ROOT/tests/helpers.bash"
mkdir include
echo '#define LIMIT 2' >include/limit.h
printf 'extern int x;\nvoid increment(void) { x++; }\n' >increment.c
cat >main.c <<'C'
#include "limit.h"
#include <assert.h>
#include <math.h>
#include <pthread.h>
int x;
void increment(void);
static void *worker(void *unused) { increment(); return NULL; }
int main(int argc, char **argv) {
  pthread_t t[LIMIT];
  for (int i = 0; i < LIMIT; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < LIMIT; i++) pthread_join(t[i], NULL);
  assert(x == WANTED * (int)cos(argc - 1));
  return 0;
}
C
expect_status 1 "$HEDDLE" run -DWANTED=2 -Iinclude main.c increment.c -lm
expect_status 1 "$HEDDLE" run -D WANTED=2 -I include main.c increment.c -lm
"$HEDDLE" cc -g -c increment.c
ar rcs libincrement.a increment.o
expect_status 1 "$HEDDLE" run -DWANTED=2 -Iinclude main.c libincrement.a -lm
expect_status 1 "$HEDDLE" run -DWANTED=2 -Iinclude main.c -L. -lincrement -lm
