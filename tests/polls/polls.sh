# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The strategies agree on 20 programs whose threads poll. On 12 and 13, and on the others below, waiting polls or parked loops once
# hid classes from them; on 143 and 195 observations as well.
set -eu
"$ROOT/tests/polls/agree" 20 1
for number in 49 143 195; do "$ROOT/tests/polls/agree" 1 "$number"; done
