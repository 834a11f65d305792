# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# examples/project under CMake with ctest, Meson and automake, and the pipelines of docs/ci.md, with an installed heddle: its bug is a
# failed test, and the repaired queue passes.
. "$ROOT/tests/helpers.bash"
make -s -C "$ROOT" -o all install BUILD="$(dirname "$HEDDLE")" DESTDIR="$PWD/stage" PREFIX=/usr || fail "make install"
export PATH="$PWD/stage/usr/bin:$PATH" CMAKE_PREFIX_PATH="$PWD/stage/usr" CMAKE_GENERATOR=Ninja
unset CC CFLAGS MAKEFLAGS MAKELEVEL
cp -r "$ROOT/examples/project" broken
cp -r broken repaired
sed -i 's/  if (/  while (/' repaired/queue.c
"$ROOT/tests/testing/read_recipes.py" "$ROOT/docs/ci.md" broken || fail "docs/ci.md"

# in_project PROJECT STATUS COMMAND...
in_project() { expect_status "$2" env -C "$1" "${@:3}"; }

explored() { expect_text "$1" "assertion failed: taken[0] + taken[1] == 3"; }

# CMake, once with another compiler: then nothing of heddle is needed.
in_project repaired 0 cmake -B build -DCMAKE_C_COMPILER=gcc
in_project repaired 0 ctest --test-dir build -N
expect_text stdout "Total Tests: 1"
for project in broken repaired; do
  in_project $project 0 cmake -B build-heddle -DCMAKE_C_COMPILER=heddle-cc
  in_project $project 0 cmake --build build-heddle
done
in_project broken 8 ctest --test-dir build-heddle -R explored --output-on-failure
explored stdout
[ -d broken/build-heddle/heddle-out/queue-explored/bug-1 ] || fail "no bug directory"
in_project repaired 0 ctest --test-dir build-heddle
expect_text stdout "100% tests passed, 0 tests failed out of 2"
# What is left is neither passed nor failed.
sed -i 's/--max-time 60/--max-runs 1/' repaired/CMakeLists.txt
in_project repaired 0 cmake build-heddle
in_project repaired 0 ctest --test-dir build-heddle -R explored
expect_text stdout "***Skipped"

for project in broken repaired; do in_project $project 0 env CC=heddle-cc meson setup build-meson; done
in_project broken 1 meson test -C build-meson --print-errorlogs queue-explored
explored stdout
in_project repaired 0 meson test -C build-meson

in_project repaired 0 autoreconf -i
in_project repaired 0 ./configure CC=heddle-cc
in_project repaired 0 make check LOG_COMPILER="heddle run --max-time 60"
expect_text stdout "# PASS:  1"
expect_text repaired/queue_test.log "clean: every schedule was explored, no bug"
cp broken/queue.c repaired/queue.c
in_project repaired 2 make check LOG_COMPILER="heddle run --max-time 60"
explored repaired/queue_test.log

# The commands of the pipelines (the builds are there), and what an editor sees.
for pipeline in github gitlab; do
  rm -f broken/heddle.*
  in_project broken 1 bash "../$pipeline.sh"
  [ -s broken/heddle.sarif ] && [ -s broken/heddle.html ] && [ -d broken/heddle-out/queue_test/bug-1 ] || fail "$pipeline: nothing to upload"
  [ $pipeline = gitlab ] || cp stdout annotations
done
xmllint --noout broken/heddle.xml || fail "not XML"
expect_equal "what an editor sees" "$("$ROOT/tests/testing/read_recipes.py" matched "$ROOT/contrib/problem-matcher.json" <annotations)" \
  "error queue_test.c $(grep -n 'assert(' broken/queue_test.c | cut -d: -f1)"

# pkg-config: a program of heddle.h with another compiler.
cp "$ROOT/examples/linearizability/stack_test.c" .
flags=$(PKG_CONFIG_PATH=$PWD/stage/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$PWD/stage pkg-config --cflags --libs heddle)
read -ra words <<<"$flags"
gcc -o stack_test stack_test.c "${words[@]}" || fail "gcc with $flags"
./stack_test stack || fail "what gcc built"

# The tutorial: what it shows before the repair and after it.
mkdir tutorial
cp -r broken/build-heddle tutorial
sed '/^## Repair it/,$d' "$ROOT/docs/tutorial.md" >before.md
sed -n '/^## Repair it/,$p' "$ROOT/docs/tutorial.md" >after.md
cd tutorial || exit 1
"$ROOT/tests/check-document" ../before.md
cp ../repaired/build-heddle/queue_test build-heddle/
"$ROOT/tests/check-document" ../after.md
