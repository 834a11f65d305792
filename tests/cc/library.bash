# SPDX-License-Identifier: MIT
#
# For the tests of heddle cc: an empty directory to work in, and checks that say what failed.
: "${HEDDLE:?set HEDDLE to the heddle executable}"
HEDDLE=$(readlink -f "$HEDDLE")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
  echo "$(basename "$0"): $*" >&2
  failures=$((failures + 1))
}

# expect WHAT EXPECTED ACTUAL
expect() {
  [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}

# works COMMAND...; breaks COMMAND...: exit status 0, or another one; output goes to the file `out`
works() {
  "$@" > out 2>&1 || { cat out >&2; fail "failed: $*"; }
}

breaks() {
  if "$@" > out 2>&1; then fail "should have failed: $*"; fi
}

says() {
  grep -q -e "$1" out || { cat out >&2; fail "output does not contain '$1'"; }
}

finish() {
  [ "$failures" -eq 0 ] || exit 1
}
