# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# bench/peers: the tools that are there have a column, numbers of runs are compared. The peers are played by scripts.
. "$ROOT/tests/helpers.bash"
mkdir bin
play() { # NAME TEXT: a tool that says that
  printf '#!/bin/sh\necho "%s"\n' "$2" >"bin/$1"
  chmod +x "bin/$1"
}
peers() { expect_status "$1" env GENMC="$PWD/bin/genmc" NIDHUGGC="$PWD/bin/nidhuggc" "$ROOT/bench/peers" --build "$BUILD" --samples 1 --output table.md filesystem; }

peers 0
grep -qE '^\| filesystem, 24: 2,048 \| [0-9.]+ s \| [0-9.]+ s \([0-9.]+\) \|$' table.md || fail "the table: $(cat table.md)"

play genmc "Number of complete executions explored: 2000
Number of blocked executions seen: 48"
play nidhuggc "Trace count: 2048"
peers 0
grep -qE '^\| filesystem, 24: 2,048 (\| [0-9.]+ s( \([0-9.]+\))? ){4}\|$' table.md || fail "the table: $(cat table.md)"
expect_text table.md "| heddle optimal | heddle other | GenMC --sc | Nidhugg --optimal |"

play nidhuggc "Trace count: 2047"
peers 1
expect_text table.md "filesystem, 24: Nidhugg --optimal makes 2047 runs"
play nidhuggc "it crashed"
peers 1
expect_text table.md "filesystem, 24: Nidhugg --optimal makes None runs"
expect_status 1 "$ROOT/bench/peers" --build "$PWD" filesystem
expect_text stderr "no heddle in $PWD"
expect_status 1 "$ROOT/bench/peers" --build "$BUILD" "no such row"
