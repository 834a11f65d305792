# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The strategies agree on 300 small programs whose operations can fail, and `optimal` on 100 of them with three seeds, on 40 of
# four threads, and on programs that it got wrong once: 8322 has a wait that commutes with the post it needed when it comes before it.
set -eu
"$ROOT/tests/agree/attempts" --few 300 1
"$ROOT/tests/agree/attempts" --strategy optimal --seeds 3 100 1
"$ROOT/tests/agree/attempts" --strategy optimal --seeds 3 1 8322
"$ROOT/tests/agree/attempts" --strategy optimal --seeds 3 40 1000000
