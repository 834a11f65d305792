# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Every string function of abi/intercepts.def reads and writes its memory as a visible operation: with another thread that
# uses the same bytes, the old and the new string are both observed.
. "$ROOT/tests/helpers.bash"
source=$ROOT/tests/cli/string_accesses.c
expect_status 0 "$HEDDLE" cc -g -fno-builtin -o strings "$source"
sed -nE 's/^RENAME\((\w+), strings, "(.*)"\)/\1 \2/p' "$ROOT/abi/intercepts.def" >rows
[ -s rows ] || fail "no rows"
while read -r function words; do
  for verb in reads writes; do
    case $words in *"$verb"*) ;; *) continue ;; esac
    grep -qE "^ *$([ $verb = reads ] && echo READER || echo WRITER)\($function," "$source" || fail "no case: $function $verb"
    expect_status 0 "$HEDDLE" run --races off --json out.json ./strings -- $verb "$function"
    expect_equal "what is observed when $function $verb" \
      "$(field out.json '" ".join(o["outcome"] for o in report["observations"])')" "old=0 old=1"
  done
done <rows
