# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# heddle query: states that can and cannot be reached, shown by runs that heddle replay repeats; what is unknown is named.
. "$ROOT/tests/helpers.bash"
cat >two.c <<'C'
#include <pthread.h>
int x, y;
static void *reader(void *unused) {
  int v = x;
  y = v + 1;
  return NULL;
}
static void *writer(void *unused) {
  x = 5;
  x = 7;
  return NULL;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, reader, NULL);
  pthread_create(&t[1], NULL, writer, NULL);
  if (y == 8)
    x = 9;
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
C
reachable() { # EXPRESSION TEXT...: reachable, said with these texts, and replayed
  local expression=$1 text
  expect_status 0 "$HEDDLE" query -o state "$strategy.json" "$expression"
  shift
  for text in "reachable, after " "$@"; do expect_text stdout "$text"; done
  expect_status 0 "$HEDDLE" replay state
  for text in "reached: $expression" "$@"; do expect_text stdout "$text"; done
  expect_status 0 "$HEDDLE" show state
  expect_text stdout "$expression: the state after step"
}
unreachable() { # EXPRESSION
  expect_status 1 "$HEDDLE" query "$strategy.json" "$1"
  expect_text stdout "unreachable: no schedule and no inputs lead there"
}
for strategy in unfolding contextual; do
  expect_status 0 "$HEDDLE" run --strategy $strategy --unfolding $strategy.json two.c
  reachable 'x == 9 && y == 8' '    x = 9' '    y = 8'
  reachable 'x == 7 && y == 1 && t2.ended' '    t2 has ended'
  reachable 'main@18 && x == 7 && y == 8' '    main at two.c:18: write x'
  reachable 't1@two.c:5 && x == 5 && y == 0' '    t1 at two.c:5: write y'
  reachable 't1@4 && t2@10' '    t1 at two.c:4: read x' '    t2 at two.c:10: write x'
  reachable 'main@20 && t1.ended' '    main at two.c:20: join thread t2'
  reachable '(x ^ 2) % 4 - 3 <= -(1 << 1) + !y && "y" >= 0x1' '    x = 7'
  unreachable 'x == 5 && y == 8'
  unreachable 'main@19 && t1.ended'
  unreachable 'main.ended && x == 0'
  unreachable 'x + y == 16 && main.ended'
  unreachable 't1@4 && y > 0'
  unreachable 'x == 7 ? y != 1 && y != 6 && y != 8 && t1.ended : 0'
done

# What a question names must exist.
expect_refusal "$HEDDLE" query unfolding.json 'z > 1'
expect_text stderr 'there is no variable z: variables are x, y; threads are main, t1, t2'
expect_refusal "$HEDDLE" query unfolding.json 't3.ended'
expect_refusal "$HEDDLE" query unfolding.json 't3@5'
expect_text stderr 'there is no thread t3: threads are main, t1, t2'
expect_refusal "$HEDDLE" query unfolding.json 'main@5'
expect_text stderr 'main has no visible operation at line 5, only at two.c:17, two.c:18, two.c:19, two.c:20'
expect_refusal "$HEDDLE" query unfolding.json 'main@three.c:17'
for wrong in '' 'x +' 'x == ' '(x' 'x y' 'x @ 3' 'main@' '"x' '1a' "'ab'" '?' 'x == 99999999999999999999' 'main@two.c:x'; do
  expect_refusal "$HEDDLE" query unfolding.json "$wrong"
done
expect_refusal "$HEDDLE" query unfolding.json "$(printf '(%.0s' $(seq 10000))"

# Files that are none, or damaged, or without their program.
expect_refusal "$HEDDLE" query missing.json 'x'
expect_refusal "$HEDDLE" query two.c 'x'
for damage in 's/heddle-unfolding-1/heddle-unfolding-9/' 's/"consumes": \[1\]/"consumes": [1000]/' \
  's/"previous": 3/"previous": 30/' 's/"object": 1,/"object": 77,/' '$d' 's/"thread": 1,/"thread": 9,/' \
  's/"program"/"programme"/' 's/"value": 5/"value": -5/' 's/"step": true/"step": 1/' 's/"protocol": [0-9]*/"protocol": 1/'; do
  sed -e "$damage" unfolding.json >damaged.json
  ! cmp -s unfolding.json damaged.json || fail "no damage: $damage"
  expect_refusal "$HEDDLE" query damaged.json 'x'
done
size=$(wc -c <unfolding.json)
for part in 0 1 10 50 90 99; do
  head -c $((size * part / 100)) unfolding.json >damaged.json
  expect_refusal "$HEDDLE" query damaged.json 'x'
done
mkdir elsewhere && cp unfolding.json elsewhere
expect_refusal "$HEDDLE" query elsewhere/unfolding.json 'x'
cp /bin/true elsewhere/unfolding.program
expect_refusal "$HEDDLE" query elsewhere/unfolding.json 'x'
cp unfolding.program elsewhere
expect_status 0 "$HEDDLE" query elsewhere/unfolding.json 'x'
expect_refusal "$HEDDLE" query unfolding.json
expect_refusal "$HEDDLE" query --timeout never unfolding.json x

# An unfolding that is not complete cannot rule anything out.
expect_status 3 "$HEDDLE" run --strategy unfolding --max-runs 1 --unfolding part.json two.c
expect_status 3 "$HEDDLE" query part.json 'x == 5 && y == 8'
expect_text stdout 'unreachable in the part that was explored'

# Before anything is run.
expect_refusal "$HEDDLE" run --strategy optimal --unfolding new.json two.c
expect_text stderr '--unfolding needs --strategy unfolding or contextual'
expect_refusal "$HEDDLE" run --unfolding new.svg two.c
expect_refusal "$HEDDLE" run --unfolding nowhere/new.json two.c
[ ! -e new.json ] || fail "a file was written"
expect_status 0 "$HEDDLE" run --unfolding new.dot two.c
expect_text stdout 'with strategy unfolding'
expect_text new.dot 't1: write y = 8\ntwo.c:5'
expect_status 0 dot -Tsvg new.dot
expect_text stdout '</svg>'

# Values and places that depend on inputs: the solver chooses them.
cat >inputs.c <<'C'
#include <heddle.h>
#include <pthread.h>
int x, y;
static void *worker(void *unused) {
  int n = heddle_input_int("n");
  if (n > 10)
    x = n + 1;
  else
    x = 3;
  return (void *)(long)(y * 0);
}
int main(void) {
  pthread_t t;
  int m = heddle_input_int("m");
  x = m * 2;
  pthread_create(&t, NULL, worker, NULL);
  int v = x;
  y = m + v - v;
  pthread_join(t, NULL);
  return 0;
}
C
for strategy in unfolding contextual; do
  expect_status 0 "$HEDDLE" run --strategy $strategy --unfolding $strategy.json inputs.c
  reachable 'x == 77 && t1@10' '    x = 77' '    with int m = ' '         int n = 76 (t1)'
  reachable 'x == 14 && y == 7 && t1@7' '    y = 7' '    with int m = 7'
  reachable 'x == 3 && y == -5 && main.ended' '    with int m = -5'
  reachable 'x - 1000 == y && y > 500 && t1.ended' '    t1 has ended'
  unreachable 'x == 5 && t1@10'
  unreachable 'x % 2 && t1@7'
  unreachable 'x == 3 && t1@7'
done

# What the documentation shows.
"$ROOT/tests/check-document" "$ROOT/docs/query.md"
