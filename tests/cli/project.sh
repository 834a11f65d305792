# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A program with a configure script and a makefile, built with CC="heddle cc": it works outside heddle, heddle finds its
# planted bug (a lost wake-up that hardly ever happens), repeats and shows it; repaired, the bug is gone.
. "$ROOT/tests/helpers.bash"
cp -r "$ROOT/tests/project" project
PATH=$(dirname "$HEDDLE"):$PATH
export PATH

mkdir build
cd build || exit 1
expect_status 0 env CC="heddle cc" ../project/configure
expect_text config.h "#define THREAD_LOCAL _Thread_local"
expect_text config.h "#define HAVE_STRCASECMP 1"
expect_no_text config.h NOSUCHFUNCTION
expect_status 0 make -j2
[ -f libtally.a ] || fail "no static library"
for _ in 1 2 3 4 5 6 7 8 9 10; do expect_status 0 make -s check; done

# Too large for every interleaving: priorities.
expect_status 1 heddle run --strategy pct --max-runs 100000 --json out.json ./tally -- -w 2 ../project/sample.log
[ "$(field out.json 'report["runs"]')" -le 5000 ] || fail "it took $(field out.json 'report["runs"]') runs"
expect_equal kind "$(field out.json 'report["bugs"][0]["kind"]')" deadlock
expect_equal function "$(field out.json 'report["bugs"][0]["function"]')" pool_drain
expect_equal line "$(field out.json 'report["bugs"][0]["line"]')" \
  "$(grep -n 'pthread_cond_wait(&pool->drained' ../project/src/pool.c | cut -d: -f1)"
for _ in 1 2 3; do
  expect_status 1 heddle replay heddle-out/tally/bug-1
  expect_text stdout "deadlock"
  expect_text stdout "pool_drain"
done
expect_status 0 heddle show heddle-out/tally/bug-1
expect_text stdout "pool.c:"
expect_text stdout "drained"
expect_text stdout "pool_drain, threads main, t1, t2"

# In gdb: main stands in pool_drain, the workers wait for jobs; the pool can be looked at.
if command -v gdb >/dev/null; then
  expect_status 0 heddle replay --gdb heddle-out/tally/bug-1 -- -batch -ex 'info threads' -ex 'thread apply all bt'
  expect_text stdout '"main"'
  expect_text stdout '"t2 work"'
  expect_text stdout "in pool_drain (pool="
  [ "$(grep -c 'in take_job (pool=' stdout)" -ge 2 ] || fail "not both workers in the backtraces"
  expect_text stdout "pthread_cond_wait(&pool->job_came, &pool->mutex);"
fi

# Only the changed file is compiled anew; the same search, and much more of it, shows nothing.
sed -i -f ../project/repair.sed ../project/src/pool.c
expect_status 0 make
expect_equal "files compiled again" "$(grep -c -- ' -c -o ' stdout)" 1
expect_status 0 make -s check
runs=$(field out.json 'report["runs"]')
expect_status 3 heddle run --strategy pct --max-runs $((5 * runs + 5000)) ./tally -- -w 2 ../project/sample.log
