# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Code that heddle did not compile: the result is incomplete, with the function and the place, where it runs while another
# thread could do something at the same time. While a thread is alone, nothing is lost.
. "$ROOT/tests/helpers.bash"

cat >plain.c <<'END'
#include <stddef.h>
static int counter;
void *increment(void *unused) { int c = counter; counter = c + 1; return unused; }
int get(void) { return counter; }
int compare(const void *a, const void *b) { counter++; return *(const int *)a - *(const int *)b; }
void *(*pointer(void))(void *) { return increment; }
void *(*table[])(void *) = {increment};
END
cat >main.c <<'END'
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
void *increment(void *);
int get(void);
int compare(const void *, const void *);
void *(*pointer(void))(void *);
extern void *(*table[])(void *);
static void *(*function)(void *);
static double (*harmless)(double) = sqrt;
static int other, compared[2];
void *elsewhere(void *);
static void *direct(void *u) { return increment(u); }                 /* DIRECT */
static void *indirect(void *u) { return function(u); }                /* INDIRECT */
static void *of_table(void *u) { return table[0](u); }                /* TABLE */
static void *sorts(void *u) {
  int numbers[] = {2, 1};
  qsort(numbers, 2, sizeof *numbers, compare); /* SORT */
  return u;
}
static void *known(void *u) {
  double (*root)(double) = harmless;
  void *(*own)(void *) = elsewhere;
  size_t (*length)(const char *) = strlen;
  return root(4) == 2 && length("ab") == 2 ? own(u) : u;
}
int main(int argc, char **argv) {
  pthread_t a, b;
  void *(*start)(void *) = direct;
  function = pointer();
  if (!strcmp(argv[1], "indirect")) start = indirect;
  if (!strcmp(argv[1], "table")) start = of_table;
  if (!strcmp(argv[1], "sort")) start = sorts;
  if (!strcmp(argv[1], "start")) start = increment;
  if (!strcmp(argv[1], "known") || !strcmp(argv[1], "alone")) start = known;
  if (!strcmp(argv[1], "alone")) increment(NULL);
  pthread_create(&a, NULL, start, NULL); /* START */
  pthread_create(&b, NULL, start, NULL);
  other = 1;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(get() < 3);
  return compared[0];
}
END
cat >second.c <<'END'
void *elsewhere(void *unused) { return unused; }
END
expect_status 0 cc -c plain.c
expect_status 0 "$HEDDLE" cc -g -o program main.c second.c plain.o -lm
line() { grep -nF "/* $1 */" main.c | cut -d: -f1; }

for way in direct:DIRECT indirect:INDIRECT table:TABLE start:START sort:SORT; do
  expect_status 3 "$HEDDLE" run --json out.json ./program -- "${way%:*}"
  expect_equal "the verdict (${way%:*})" "$(field out.json 'report["verdict"]')" incomplete
  expect_equal "the place (${way%:*})" \
    "$(field out.json '{(w["file"], w["line"]) for w in report["warnings"] if w["kind"] == "not-followed"} & {("main.c", '"$(line "${way#*:}")"')} != set()')" True
  expect_text stdout "$([ "$way" = sort:SORT ] && echo compare || echo increment)"
done
for way in known alone; do
  expect_status 0 "$HEDDLE" run --json out.json ./program -- $way
  expect_equal "the verdict ($way)" "$(field out.json 'report["verdict"]')" clean
  expect_no_text stdout "not followed"
done
