# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# An option of a strategy is refused with any other, on one line; some imply their strategy.
. "$ROOT/tests/helpers.bash"
program=$(program count_3)
refused() { # STRATEGY OPTION... MESSAGE
  expect_refusal "$HEDDLE" run --strategy "$1" "${@:2:$#-2}" "$program"
  expect_text stderr "${*: -1}"
}
refused dpor --max-preemptions 2 "--max-preemptions needs --strategy optimal, exhaustive or bounded, not dpor"
refused optimal --max-preemptions 2 --order first "--order needs --strategy auto, optimal, dpor, "
refused exhaustive --order first "--order needs --strategy auto, optimal, dpor, "
refused random --depth 2 "--depth needs --strategy auto or pct, not random"
refused exhaustive --max-k 1 "--max-k needs --strategy con2colic, not exhaustive"
refused pct --max-scenarios 5 "--max-scenarios needs --strategy con2colic, not pct"
refused optimal --without priority "--without needs --strategy con2colic, not optimal"
refused reachability --order-solver z3 "--order-solver needs --strategy con2colic, not reachability"
refused unfolding --symmetry auto "--symmetry needs --strategy auto, optimal, exhaustive, random or pct, not unfolding"
expect_refusal "$HEDDLE" run --symmetry always "$program"
expect_text stderr "--symmetry cannot be always"
refused unfolding --reduce pv "--reduce needs --strategy reachability, not unfolding"
refused con2colic --no-deadlock-search "--no-deadlock-search needs --strategy unfolding or contextual, not con2colic"
refused dpor --check-extensions "--check-extensions needs --strategy unfolding or contextual, not dpor"
refused dpor --unfolding net.json "--unfolding needs --strategy unfolding or contextual, not dpor"
expect_refusal "$HEDDLE" run --max-k 2 "$program" # without a name it is the default strategy
expect_text stderr "not auto"
expect_refusal "$HEDDLE" run --max-preemptions 1 --unfolding net.json "$program"
expect_refusal "$HEDDLE" run --strategy reachability --reduce pv,nothing "$program"
expect_text stderr "--reduce cannot be nothing"
expect_refusal "$HEDDLE" run --strategy con2colic --without priority,all "$program"
expect_text stderr "--without cannot be all"
expect_refusal "$HEDDLE" run --strategy optimal --order last "$program"
expect_text stderr "--order cannot be last"

implies() { # STRATEGY OPTION...
  expect_status "$1" "$HEDDLE" run --json report.json "${@:3}" "$program"
  expect_equal "the strategy" "$(field report.json 'report["strategy"]')" "$2"
}
implies 0 auto --depth 2 --order first
implies 0 bounded --max-preemptions 100
implies 3 bounded --max-preemptions 0
implies 3 bounded --strategy optimal --max-preemptions 2
implies 3 exhaustive --strategy exhaustive --max-preemptions 0
implies 0 unfolding --unfolding net.json
implies 0 contextual --unfolding net.json --strategy contextual
for strategy in optimal dpor dpor-cr dpor-cr-sleep dpor-1 dpor-2 race-flip reachability unfolding contextual; do
  implies 0 $strategy --strategy $strategy --order first
done
