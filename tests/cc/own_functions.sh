# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The C library is linked into the runtime already. A program's own functions still come before the library's, whether
# they are in an object or in an archive; and links that need clang's driver make the same program.
. "$ROOT/tests/helpers.bash"

cat >own.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char *strchrnul(const char *text, int character) { return "own"; }
size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream) { return 7; }
int in_archive(void);
int ffs(int number);
static void *thread(void *argument) { return strchrnul("x", 'y'); }
int main(void) {
  pthread_t id;
  void *result;
  assert(!pthread_create(&id, NULL, thread, NULL) && !pthread_join(id, &result));
  assert(strcmp(result, "own") == 0);
  assert(fwrite("", 1, 1, stdout) == 7);
  assert(in_archive() == 1 && ffs(8) == 42);
  return 0;
}
END
cat >archive.c <<'END'
int in_archive(void) { return 1; }
int ffs(int number) { return 42; }
END
expect_status 0 "$HEDDLE" cc -fno-builtin -c archive.c
ar rcs libown.a archive.o
expect_status 0 "$HEDDLE" cc -fno-builtin own.c -L. -lown -o directly
expect_status 0 "$HEDDLE" cc -fno-builtin own.c -L. -lown -Wl,-z,norelro -o by_clang
for program in directly by_clang; do
  expect_status 0 ./"$program"
  expect_status 0 "$HEDDLE" run ./"$program"
done

# A program's own functions of names that heddle replaces win in all its files: objects and archives, either link.
cat >caller.c <<'END'
#include <assert.h>
#include <pthread.h>
int mtx_trylock(pthread_mutex_t *mutex);
char *strdup(const char *text);
int main(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  assert(mtx_trylock(&mutex) == 3);
  assert(strdup("text")[0] == 'o');
  pthread_mutex_unlock(&mutex);
  return 0;
}
END
cat >locks.c <<'END'
#include <pthread.h>
int mtx_trylock(pthread_mutex_t *mutex) { return pthread_mutex_trylock(mutex) == 0 ? 1 : 3; }
END
echo 'char *strdup(const char *text) { return "own"; }' >strings.c
expect_status 0 "$HEDDLE" cc -fno-builtin -c caller.c locks.c strings.c
ar rcs libreplaced.a locks.o strings.o
for files in "locks.o strings.o" libreplaced.a "-L. -lreplaced"; do
  for more in -lm -Wl,-z,norelro; do
    # shellcheck disable=SC2086
    expect_status 0 "$HEDDLE" cc caller.o $files $more -o replaced
    expect_status 0 ./replaced
    expect_status 0 "$HEDDLE" run ./replaced
  done
done
truncate -s 100 libreplaced.a
expect_status 1 "$HEDDLE" cc caller.o libreplaced.a -o replaced

# Objects and libraries are linked without clang: it is called for the source alone.
clang=$(command -v clang-19)
mkdir bin
printf '#!/bin/sh\necho called >>calls\nexec "%s" "$@"\n' "$clang" >bin/clang-19
chmod +x bin/clang-19
PATH=$PWD/bin:$PATH expect_status 0 "$HEDDLE" cc -fno-builtin own.c -L. -lown -pthread -o directly
expect_equal "the number of calls of clang" "$(wc -l <calls)" 1
PATH=$PWD/bin:$PATH expect_status 0 "$HEDDLE" cc -fno-builtin own.c -L. -lown -Wl,-z,norelro -o by_clang
expect_equal "the number of calls of clang" "$(wc -l <calls)" 3

# LIBRARY_PATH is read by either link; nothing is linked that is not found there.
mkdir elsewhere
mv libown.a elsewhere
expect_status 1 "$HEDDLE" cc -fno-builtin own.c -lown -o nowhere
LIBRARY_PATH=/nowhere:elsewhere expect_status 0 "$HEDDLE" cc -fno-builtin own.c -lown -o found
expect_status 0 "$HEDDLE" run ./found

# Two definitions of a function, and names of the runtime's own, are errors as ever.
echo 'void *thread_of(void) { return 0; } int main(void) { return 0; }' >twice.c
expect_status 1 "$HEDDLE" cc twice.c twice.c -o twice
expect_text stderr "multiple definition"
echo 'void *__wrap_malloc(unsigned long size) { return 0; } int main(void) { return 0; }' >runtime.c
expect_status 1 "$HEDDLE" cc runtime.c -o runtime
expect_text stderr "multiple definition of \`__wrap_malloc'"
