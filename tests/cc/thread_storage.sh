# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Threads of a program that uses no thread-local storage share main's. Whatever else may use it, in the same source, in
# another object or behind a pointer that a constructor sets, has storage for each thread.
. "$ROOT/tests/helpers.bash"

shares() { nm "$1" | grep -q ' __heddle_no_storage$' && nm "$1" | grep -q ' __heddle_alone$'; }

cat >plain.c <<'END'
#include <assert.h>
#include <pthread.h>
int turn;
void (*touch)(int);
static void *thread(void *argument) {
  turn = (int)(long)argument;
  if (touch) touch((int)(long)argument);
  return argument;
}
int main(void) {
  pthread_t ids[2];
  for (long i = 0; i < 2; i++) assert(!pthread_create(&ids[i], 0, thread, (void *)(i + 1)));
  for (int i = 0; i < 2; i++) assert(!pthread_join(ids[i], 0));
  return 0;
}
END
# Between writing and reading its own variable, the other thread can move.
cat >storage.c <<'END'
#include <assert.h>
extern int turn;
extern void (*touch)(int);
static _Thread_local int own;
static void look(int number) {
  own = number;
  turn = number;
  assert(own == number);
}
__attribute__((constructor)) static void begin(void) { touch = look; }
END
clang-19 -c storage.c -o foreign.o

expect_status 0 "$HEDDLE" cc -g plain.c -o plain -pthread
shares plain || fail "plain uses no thread-local storage"
expect_status 0 "$HEDDLE" run --strategy exhaustive --json plain.json ./plain
expect_equal "the verdict of plain" "$(field plain.json 'report["verdict"]')" clean

for other in storage.c foreign.o; do
  expect_status 0 "$HEDDLE" cc -g plain.c "$other" -o both
  ! shares both || fail "plain with $other uses thread-local storage"
  timeout 60 "$HEDDLE" run --strategy exhaustive --json both.json ./both >stdout 2>stderr || true
  expect_equal "the bugs of plain with $other" "$(field both.json 'len(report["bugs"])')" 0
done

# What is enough to need it.
uses_it() { # NAME SOURCE
  printf '%s\n' '#include <pthread.h>' "$2" >"$1.c"
  expect_status 0 "$HEDDLE" cc "$1.c" -o "$1"
  ! shares "$1" || fail "$1 may use thread-local storage"
}
uses_it variable '_Thread_local int x; int main(void) { return x; }'
uses_it number '#include <errno.h>
int main(void) { return errno; }'
uses_it library '#include <stdio.h>
int main(void) { puts(""); return 0; }'
uses_it assembly 'int main(void) { long self; __asm__("mov %%fs:0, %0" : "=r"(self)); return !self; }'
uses_it assembly_beside '__asm__(".globl f; f: ret"); int main(void) { return 0; }'
uses_it replaced '__attribute__((weak)) int f(void) { return 0; } int main(void) { return f(); }'
