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

began=$SECONDS
expect_status 1 heddle run --json out.json ./tally -- -w 2 ../project/sample.log
[ $((SECONDS - began)) -le 30 ] || fail "it took $((SECONDS - began)) seconds"
expect_equal kind "$(field out.json 'report["bugs"][0]["kind"]')" deadlock
expect_equal function "$(field out.json 'report["bugs"][0]["function"]')" pool_drain
expect_equal line "$(field out.json 'report["bugs"][0]["line"]')" \
  "$(grep -n 'pthread_cond_wait(&pool->drained' ../project/src/pool.c | cut -d: -f1)"
for _ in 1 2 3; do
  expect_status 1 heddle replay heddle-out/bug-1
  expect_text stdout "deadlock"
  expect_text stdout "pool_drain"
done
expect_status 0 heddle show heddle-out/bug-1
expect_text stdout "pool.c:"
expect_text stdout "broadcast"

# Only the changed file is compiled anew; the same exploration, and much more of it, shows nothing.
sed -i -f ../project/repair.sed ../project/src/pool.c
expect_status 0 make
expect_equal "files compiled again" "$(grep -c -- ' -c -o ' stdout)" 1
expect_status 0 make -s check
runs=$(field out.json 'report["runs"]')
expect_status 3 heddle run --max-runs $((10 * runs + 10000)) ./tally -- -w 2 ../project/sample.log
