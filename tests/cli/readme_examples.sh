# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The commands of README.md that are marked as run do what it says: every "$ heddle run" line ends with its exit status.
. "$ROOT/tests/helpers.bash"
cp -r "$ROOT/examples" .
mkdir tests && cp -r "$ROOT/tests/programs" tests
grep -oE '^ *\$ heddle run [^#]*# status [0-9]+' "$ROOT/README.md" >commands || fail "README.md shows no commands"
while read -r _ _ command; do
  status=${command##*# status }
  command=${command%%#*}
  # shellcheck disable=SC2086
  expect_status "$status" "$HEDDLE" $command
done <commands
