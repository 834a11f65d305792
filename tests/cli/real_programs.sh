# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# docs/real-programs/run says which programs it knows, runs one, and says what is wrong with its arguments.
. "$ROOT/tests/helpers.bash"
run=$ROOT/docs/real-programs/run
expect_status 0 "$run"
expect_text stdout "github.com/mbrossard/threadpool"
expect_status 2 "$run" threadpool /nonexistent
expect_text stderr "there is no directory /nonexistent"
expect_status 2 "$run" nothing .
expect_text stderr "there is no driver for nothing"
expect_status 0 env MAX_TIME=2 "$run" glib-queue .
