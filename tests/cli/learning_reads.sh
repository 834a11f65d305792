# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A bug that a learning run finds, before its memory is known to be shared: the schedule that is shown has the reads that
# decided it, and replays.
. "$ROOT/tests/helpers.bash"

cat >stock.c <<'END'
#include <assert.h>
#include <pthread.h>

static int stock = 1, sold;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *buy(void *unused) {
  pthread_mutex_lock(&mutex);
  int has = stock > 0;
  pthread_mutex_unlock(&mutex);
  if (!has) return NULL;
  pthread_mutex_lock(&mutex);
  stock--;
  sold++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, buy, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(stock == 0);
  return 0;
}
END
"$HEDDLE" cc -g -o stock stock.c
found_at_once=0
for seed in 1 2 3 4 5 6 7 8; do
  expect_status 1 "$HEDDLE" run --seed $seed ./stock
  if grep -q "while learning what is shared, in run 1;" stdout; then found_at_once=$((found_at_once + 1)); fi
  expect_status 0 "$HEDDLE" show --full heddle-out/stock/bug-1
  expect_equal "reads that decide, seed $seed" "$(grep -c "read stock = 1 .*int has" stdout)" 2
  expect_status 1 "$HEDDLE" replay heddle-out/stock/bug-1
  expect_text stdout "assertion failed: stock == 0"
done
[ $found_at_once -gt 0 ] || fail "no seed found it in the first run"
