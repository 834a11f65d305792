# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Every kind of synchronisation in the constraints in time: the same branches as exhaustive, proven to be all, with orders
# found both ways and compared; and without unsatisfiable cores.
. "$ROOT/tests/helpers.bash"

# covered STRATEGY OPTION...: the sides of branches, and whether that is all
covered() {
  local strategy=$1
  shift
  "$HEDDLE" run --keep-going --strategy "$strategy" --races off --json report.json --coverage coverage "$@" ./program \
    >output 2>&1 || true
  expect_no_text output "internal error"
  field report.json "report['complete'], report['divergences']"
  grep '^BRDA' coverage | grep -v ',[-0]$' || true
}

for file in "$ROOT"/tests/con2colic/programs/*.c; do
  "$HEDDLE" cc -g -O0 --heddle-line-coverage -o program "$file"
  wanted=$(covered exhaustive)
  expect_equal "$file with con2colic" "$(covered con2colic --order-solver both)" "$wanted"
  case $file in
    */condition_choice.c | */semaphore.c | */list.c | */barrier.c) ;; # too many scenarios
    *) expect_equal "$file without cores" "$(covered con2colic --without unsat-core)" "$wanted" ;;
  esac
done
