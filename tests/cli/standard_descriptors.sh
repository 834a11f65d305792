# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Standard input or output closed, a full disk, a reader that goes away, limited address space, SIGHUP: true messages.
. "$ROOT/tests/helpers.bash"
good=$(program count_3)
expect_status 0 bash -c "exec '$HEDDLE' run '$good' <&-"
expect_text stdout "clean"
expect_status 2 bash -c "exec '$HEDDLE' run '$good' >&-"
expect_text stderr "standard output could not be written"
expect_status 0 bash -c "exec '$HEDDLE' run '$good' 2>&-"
expect_status 2 bash -c "exec '$HEDDLE' run '$good' >/dev/full"
expect_text stderr "standard output could not be written"
expect_status 2 bash -c "exec '$HEDDLE' --help >/dev/full"
expect_status 0 bash -c "set -o pipefail; '$HEDDLE' run '$good' | true"
expect_status 2 bash -c "ulimit -v 4000000; exec '$HEDDLE' run '$good'"
expect_text stderr "ulimit -v"

# SIGHUP ends it like SIGTERM, and no temporary directory is left.
mkdir temporary
export TMPDIR=$PWD/temporary
"$HEDDLE" run --strategy exhaustive -DTHREADS=5 -DTIMES=5 "$ROOT/bench/programs/single_lock.c" >stdout 2>stderr &
for _ in $(seq 600); do
  [ -z "$(pgrep -P $!)" ] || [ -z "$(ls temporary)" ] || break
  sleep 0.05
done
sleep 0.3
kill -HUP $!
wait $! || true
expect_equal "temporary directories" "$(ls temporary)" ""
