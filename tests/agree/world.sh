# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The strategies agree on 60 small programs that wait for each other in the kernel, on one that they got wrong once (in 768 a
# thread times out on a futex that it was requeued to), and on 40 of sockets, timers and locks of bytes.
set -eu
"$ROOT/tests/agree/world" 60
"$ROOT/tests/agree/world" 1 768
"$ROOT/tests/agree/world" 40 1000000
