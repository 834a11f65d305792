# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Every file of a bug directory removed, emptied, cut off or overwritten: one line and status 2, or a replay as before.
. "$ROOT/tests/helpers.bash"
expect_status 1 "$HEDDLE" run -o out "$(example counter)"
bug=$(first_bug out)
cp -r "$bug" good
damage() { # WHAT FILE
  case $1 in
    remove) rm -f "$2" ;;
    empty) : >"$2" ;;
    cut) head -c $(($(stat -c %s "$2") / 2)) "$2" >half && cat half >"$2" ;;
    overwrite) head -c 2000 /dev/urandom >"$2" ;;
    directory) rm -f "$2" && mkdir "$2" ;;
  esac
}
(cd good && find . -type f | sort) >files
while read -r file; do
  for what in remove empty cut overwrite directory; do
    rm -rf bad && cp -r good bad
    damage $what "bad/$file"
    for command in replay show; do
      status=0
      timeout 60 "$HEDDLE" $command bad >stdout 2>stderr </dev/null || status=$?
      case $command$status in
        replay1 | show0) ;; # the file does not matter for this
        *2) [ "$(wc -l <stderr)" = 1 ] || fail "$command after $what $file: not one line" ;;
        *) fail "$command after $what $file: status $status" ;;
      esac
    done
  done
done <files

# The plan is what is repeated: a schedule that was edited is refused, and so is a plan with another number in it.
rm -rf bad && cp -r good bad
sed -i 's/^seed .*/seed 12345/' bad/schedule
expect_refusal "$HEDDLE" replay bad
expect_text stderr "schedule says something else than the plan"
for at in 4 32 90; do # its form, its seed, a step
  cp good/schedule bad/schedule
  cp good/plan bad/plan
  printf '\177' | dd of=bad/plan bs=1 seek=$at conv=notrunc status=none
  expect_refusal "$HEDDLE" replay bad
  expect_text stderr "plan is damaged"
done
