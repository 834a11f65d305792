# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The inputs of a failure that heddle found make the program fail in the same place when gcc compiled it, without heddle.
. "$ROOT/tests/helpers.bash"

# numbers REPORT: the inputs of its first bug, one a line
numbers() {
  python3 - "$1" <<'END'
import json, sys
for item in json.load(open(sys.argv[1]))["bugs"][0]["inputs"]:
    values = bytes.fromhex(item["bytes"]) if "bytes" in item else item["value"]
    for value in values if hasattr(values, "__iter__") else [values]:
        print(int(value))
END
}

count=0
for file in "$ROOT"/tests/inputs/failures/*.c "$(program input_conjunction)" "$(program input_assume_narrow)"; do
  expect_status 1 "$HEDDLE" run --strategy exhaustive --json report.json "$file"
  expect_equal "kind in $file" "$(field report.json 'report["bugs"][0]["kind"]')" assertion
  line=$(field report.json 'report["bugs"][0]["line"]')
  numbers report.json >inputs.txt
  gcc -w -I "$ROOT/include" -o program "$file" "$ROOT/tests/inputs/supply.c"
  INPUTS=$PWD/inputs.txt expect_status 134 ./program
  expect_text stderr "$(basename "$file"):$line:"
  expect_text stderr "Assertion"
  count=$((count + 1))
done
[ "$count" -ge 10 ] || fail "only $count programs"
