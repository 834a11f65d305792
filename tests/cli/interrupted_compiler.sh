# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Control-C while the compiler works: no temporary directory is left, and no half-written output.
. "$ROOT/tests/helpers.bash"
mkdir temporary bin
# A compiler that takes its time, and ends at Control-C like the real one.
printf '#!/bin/sh\ntouch "%s/started"\nexec sleep 100\n' "$PWD" >bin/clang-19
chmod +x bin/clang-19
export TMPDIR=$PWD/temporary PATH=$PWD/bin:$PATH
set -m
for command in cc run; do
  rm -f started
  "$HEDDLE" $command -o output-$command "$(program count_3)" >stdout 2>stderr </dev/null &
  heddle=$!
  for _ in $(seq 1000); do
    [ -e started ] && break
    sleep 0.05
  done
  [ -n "$(ls temporary)" ] || fail "heddle $command makes no temporary directory: the test shows nothing"
  kill -INT -- -$heddle
  status=0
  wait $heddle || status=$?
  [ $status != 0 ] || fail "heddle $command ended with status 0"
  [ -z "$(ls temporary)" ] || fail "heddle $command left $(ls temporary)"
  [ ! -e output-cc ] || fail "an output is left"
done
