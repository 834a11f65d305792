# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Classes of runs that fail count as well: examples/ticket.c, where other threads may have done more or less when one of them
# fails. `optimal` makes one run of each, and none in vain.
. "$ROOT/tests/helpers.bash"

"$HEDDLE" cc -g -o ticket "$ROOT/examples/ticket.c"
"$BUILD/tests/count-traces" exhaustive ./ticket >exhaustive
traces=$(sed -n 's/.*traces \([0-9]*\) .*/\1/p' exhaustive)
failures=$(sed -n 's/.*failures \([0-9]*\)$/\1/p' exhaustive)
for seed in 1 2 3; do
  "$BUILD/tests/count-traces" optimal ./ticket "$seed" >optimal
  grep -qx "runs $traces blocked 0 traces $traces deadlocks 0 failures $failures" optimal ||
    fail "seed $seed: $(cat optimal), but exhaustive: $(cat exhaustive)"
done
