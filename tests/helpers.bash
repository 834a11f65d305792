# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For test scripts: `. "$ROOT/tests/helpers.bash"`. A failed expectation says what happened and ends the test.
set -eu

fail() {
  printf 'failed: %s\n' "$*"
  if [ -f stdout ]; then
    printf -- '--- standard output\n' && head -c 1500 stdout
    printf -- '--- standard error\n' && head -c 1500 stderr
  fi
  exit 1
}

# expect_status N COMMAND...: runs it; its output is in the files stdout and stderr
expect_status() {
  local wanted=$1 status=0
  shift
  timeout -k 5 120 "$@" >stdout 2>stderr </dev/null || status=$?
  [ "$status" = "$wanted" ] || fail "status $status instead of $wanted: $*"
}

# expect_refusal COMMAND...: status 2, and exactly one line, on standard error
expect_refusal() {
  expect_status 2 "$@"
  [ ! -s stdout ] || fail "something on standard output: $*"
  [ "$(wc -l <stderr)" = 1 ] || fail "not exactly one line: $*"
}

expect_text() { # FILE TEXT
  grep -qF -- "$2" "$1" || fail "no '$2' in $1"
}

expect_no_text() { # FILE TEXT
  ! grep -qF -- "$2" "$1" || fail "unexpected '$2' in $1"
}

# field FILE EXPRESSION: a Python expression over the JSON object `report`
field() {
  python3 -c 'import json, sys; report = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

expect_equal() { # WHAT ACTUAL WANTED
  [ "$2" = "$3" ] || fail "$1 is '$2', not '$3'"
}

# first_bug DIRECTORY: the directory of the first bug in it
first_bug() { find "$1" -mindepth 1 -maxdepth 1 -type d | sort | head -n 1; }

example() { echo "$ROOT/examples/$1.c"; }
program() { echo "$ROOT/tests/programs/$1.c"; }
