# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# The programs of the paper's table: branches by interferences, and how many the bug needs. Exploration reaches its end.
source "$ROOT/tests/helpers.bash"

check() { # program, flags, branches by k, k of the bug
  read -ra flags <<<"$2"
  "$HEDDLE" cc -g "${flags[@]}" -o program "$ROOT/bench/programs/$1.c"
  expect_status "$([ "$4" = null ] && echo 0 || echo 1)" "$HEDDLE" run --strategy con2colic --races off --keep-going --minimise 0 \
    --max-time 200 --json result.json program
  expect_text result.json "\"branches_by_k\": [$3]"
  expect_text result.json "\"bug_k\": $4,"
  expect_text result.json '"complete": true'
}

check bluetooth "" "18, 3, 1" 2
check add_all "" "3, 1" 1
check sor "" "34, 6, 1, 1" 3
check trace_log "-DDRIVER=0" "53, 3" 1
check trace_log "-DDRIVER=1" "61, 3, 2" 1
check downloader "" "54, 6, 1" 2
check art "-DN=2" "7, 1" 1
check art "-DN=3" "10, 1, 1" 2
check art "-DN=4" "13, 1, 1, 1" 3
check art "-DN=5" "16, 1, 1, 1, 1" 4
check file_scanner "" "46, 3, 18, 2, 3, 3" 4
