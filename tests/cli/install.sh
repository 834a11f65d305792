# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# make install; the installed heddle works without the build directory.
. "$ROOT/tests/helpers.bash"
# -o all: what is there, also when sources have changed since.
make -s -C "$ROOT" -o all BUILD="$BUILD" DESTDIR="$PWD/stage" PREFIX=/opt/heddle install >stdout 2>stderr || fail "make install"
for file in bin/heddle lib/heddle/heddle-instrument lib/heddle/libheddle-rt.a lib/heddle/heddle-hooks.bc lib/heddle/link/runtime.o lib/heddle/include/heddle.h share/man/man1/heddle.1 lib/heddle/bench/tables/dpor.tsv lib/heddle/bench/programs/fib.c; do
  [ -f "stage/opt/heddle/$file" ] || fail "no $file"
done
expect_status 1 stage/opt/heddle/bin/heddle run "$(example counter)"
expect_status 0 stage/opt/heddle/bin/heddle run "$(program store_buffering)"
expect_status 0 stage/opt/heddle/bin/heddle bench dpor --only "Parallel Pi (3)" --seeds 1 -o table.md
grep -q "^| Parallel Pi (3) | .* | 6 | 6, .* (>10000) |" table.md || fail "the table: $(cat table.md)"
