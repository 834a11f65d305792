# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A bug directory has everything: it can be moved, and the source may be gone.
. "$ROOT/tests/helpers.bash"
cp "$(example counter)" gone.c
expect_status 1 "$HEDDLE" run -o out gone.c
rm gone.c
mkdir elsewhere
mv "$(first_bug out)" elsewhere/bug
rm -rf out
(cd elsewhere && expect_status 1 "$HEDDLE" replay bug)
(cd elsewhere && expect_status 0 "$HEDDLE" show bug)
