# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# How many scenarios are looked at until none is left (docs/results/con2colic.md): what cannot be realised is given up as early as the
# paper says, and earlier.
source "$ROOT/tests/helpers.bash"

check() { # program, flags, scenarios
  read -ra flags <<<"$2"
  "$HEDDLE" cc -g "${flags[@]}" -o program "$ROOT/$1"
  expect_status 0 "$HEDDLE" run --strategy con2colic --races off --max-time 200 --json result.json program
  expect_text result.json "\"scenarios\": $3,"
}

check bench/programs/splay_tree.c "" 3393
check bench/programs/red_black_tree.c "" 810
for rounds in 2:79 3:546 4:3241; do check tests/con2colic/pruning/sections.c "-DROUNDS=${rounds%:*}" "${rounds#*:}"; done
# A place that is read is an address: what the paper's tool makes concrete is as many paths as it has values.
check tests/con2colic/pruning/place.c "" 9
check tests/con2colic/pruning/place.c -DCOPIES 21
# As many critical sections as one likes: they cost no more than they are long.
check tests/con2colic/pruning/sections.c "-DROUNDS=600 -DQUIET" 5
