# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# What calls on files return under heddle is what they return outside it, and a run leaves the files as they were.
. "$ROOT/tests/helpers.bash"
clang-19 -w -o native "$ROOT/tests/files/native.c"
"$HEDDLE" cc -w -o private "$ROOT/tests/files/native.c"
mkdir -p begin/given
echo hello >begin/real
echo world-of-files >begin/given/file
for seed in ${SEEDS:-1 2 3 5 8 13 14 23 47 56}; do
  rm -rf outside inside
  cp -r begin outside
  cp -r begin inside
  sum=$(cd outside && ../native "$seed" 400)
  (cd inside && "$HEDDLE" run --strategy random --max-runs 2 -o ../out ../private -- "$seed" 400 "$sum") >told || [ $? = 3 ] ||
    fail "seed $seed: other results than outside heddle: $(cat told)"
  diff -r begin inside || fail "seed $seed: the files were changed"
done
