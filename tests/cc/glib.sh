# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Programs with Debian's GLib, which heddle did not compile: its threads, queues, pools and tests run, a bug of the program is found,
# and what was not followed is said.
. "$ROOT/tests/helpers.bash"
drivers=$ROOT/docs/real-programs
read -ra flags <<<"$(pkg-config --cflags glib-2.0)"

build() { # name, driver, flags
  "$HEDDLE" cc -g "${@:3}" -o "$1" "$drivers/$2.c" "${flags[@]}" -lglib-2.0 -lpcre2-8 2>messages || fail "$2 was not built: $(cat messages)"
}

build queue glib_queue
expect_status 3 "$HEDDLE" run --strategy random --max-runs 200 ./queue
expect_text stdout "no bug found"
expect_text stdout "g_async_queue_pop is code that heddle did not compile"

build pool glib_pool
expect_status 3 "$HEDDLE" run --strategy random --max-runs 200 ./pool
expect_text stdout "no bug found"
expect_text stdout "g_mutex_lock is code that heddle did not compile"

build plain glib_pool -DPLAIN
expect_status 1 "$HEDDLE" run --strategy random --max-runs 200 ./plain
expect_text stdout "in test_pool, thread main"
