# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The manual page is well-formed and has every command, option and strategy.
. "$ROOT/tests/helpers.bash"
page=$ROOT/docs/heddle.1
if command -v groff >/dev/null; then
  expect_status 0 groff -man -Tutf8 -ww -z "$page"
  expect_equal "what groff says" "$(cat stderr)" ""
fi
sed -e 's/\\-/-/g' -e 's/\\//g' "$page" >text
for command in $("$HEDDLE" --help | awk '$1 == "heddle" && NF > 2 && $2 ~ /^[a-z]+$/ { print $2 }' | grep -v tests | sort -u); do
  grep -q "^\.B heddle $command\$" text || fail "heddle.1 does not have the command $command in its synopsis"
  grep -q "^\.B $command\$" text || fail "heddle.1 does not describe the command $command"
done
"$HEDDLE" run --help >help
for option in $(grep -oE '^ +-[-a-z]+' help); do
  grep -qE "^\.BI? $option( |\$)" text || fail "heddle.1 does not have the option $option"
done
for strategy in $(sed -n '/^strategies:/,$p' help | awk '/^ / { print $1 }'); do
  grep -q "^\.B $strategy\$" text || fail "heddle.1 does not have the strategy $strategy"
done
for command in replay show query; do # their options, as their usage lines tell them
  "$HEDDLE" $command >usage 2>&1 </dev/null || true
  for option in $(grep -oE -- '--[a-z-]+' usage); do
    expect_text text "$option"
  done
done
