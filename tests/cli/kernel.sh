# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# What the models of system calls return is what the kernel returns: programs that assert it hold without heddle as well.
. "$ROOT/tests/helpers.bash"

for program in futex_values futex_threads signal_values signal_timer epoll_values flock_values filelock_values socket_values timer_values; do
  expect_status 0 "${CC:-cc}" -pthread -o program "$ROOT/tests/programs/$program.c"
  expect_status 0 ./program
done
