# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Bad input gets one line that says what to do, and status 2.
. "$ROOT/tests/helpers.bash"
good=$(program count_3)
expect_refusal "$HEDDLE" run nosuchfile.c
expect_text stderr nosuchfile.c
expect_refusal "$HEDDLE" run --nosuchoption "$good"
expect_text stderr nosuchoption
expect_refusal "$HEDDLE" run --strategy nosuchstrategy "$good"
expect_text stderr nosuchstrategy
expect_refusal "$HEDDLE" run --max-runs ten "$good"
expect_refusal "$HEDDLE" run --max-runs -3 "$good"
expect_refusal "$HEDDLE" run --max-runs 99999999999999999999999 "$good"
expect_refusal "$HEDDLE" run --seed 1x "$good"
expect_refusal "$HEDDLE" run --max-time soon "$good"
expect_refusal "$HEDDLE" run --isolation=none "$good"
expect_refusal "$HEDDLE" run "$good" --max-runs
expect_refusal "$HEDDLE" run --sym-args 2 "$good"
expect_refusal "$HEDDLE" run --sym-args=2 "$good"
expect_refusal "$HEDDLE" run --sym-args=2,x "$good"
expect_refusal "$HEDDLE" run "$good" --sym-args
expect_refusal "$HEDDLE" run --sym-args 1024 1024 "$good"
expect_text stderr --max-terms
expect_refusal "$HEDDLE" run --sym-stdin 0 "$good"
expect_refusal "$HEDDLE" run --max-terms 9999999999 "$good"
expect_refusal "$HEDDLE" run --solver-timeout 0 "$good"
expect_refusal "$HEDDLE" run --max-address-targets -1 "$good"
expect_refusal "$HEDDLE" run --ktest "$good"
expect_text stderr --tests
expect_refusal "$HEDDLE" run --tests /proc/nosuchdirectory "$good"
expect_refusal "$HEDDLE" run
expect_refusal "$HEDDLE" run --json /nosuchdirectory/x.json "$good"
expect_refusal "$HEDDLE" run -o /proc/nosuchdirectory "$(example counter)"
expect_refusal "$HEDDLE" nosuchcommand
expect_refusal "$HEDDLE" replay
expect_refusal "$HEDDLE" replay nosuchbug
expect_refusal "$HEDDLE" show
expect_refusal "$HEDDLE" show nosuchbug
mkdir empty
expect_refusal "$HEDDLE" replay empty
expect_refusal "$HEDDLE" show empty
expect_refusal "$HEDDLE" run empty
